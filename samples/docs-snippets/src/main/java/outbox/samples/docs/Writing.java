package outbox.samples.docs;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.WriteResult;
import outbox.spi.TxContext;

/** The ways to write an event. */
final class Writing {

  private final TxContext tx;
  private final OutboxWriter writer;

  Writing(TxContext tx, OutboxWriter writer) {
    this.tx = tx;
    this.writer = writer;
  }

  WriteResult once(String commandId, String json) {
    // docs:begin if-absent
    EventEnvelope event =
        EventEnvelope.builder("OrderPlaced")
            .eventId("placed-" + commandId)
            .payloadJson(json)
            .build();
    WriteResult result = writer.writeIfAbsent(event);
    // docs:end if-absent
    return result;
  }

  void remindLater(String orderId, String json) {
    // docs:begin later
    writer.write(
        EventEnvelope.builder("PaymentReminderDue")
            .aggregateId(orderId)
            .deliverAfter(Duration.ofDays(7))
            .payloadJson(json)
            .build());
    // docs:end later
  }

  EventEnvelope consequence(EventEnvelope placed, byte[] avro) {
    // docs:begin headers
    EventEnvelope event =
        EventEnvelope.builder("ParcelPacked")
            .contentType("application/avro")
            .schema("parcel-packed", "3")
            .topic("parcels")
            .causedBy(placed)
            .header("warehouse", "north")
            .payloadBytes(avro)
            .build();
    // docs:end headers
    return event;
  }

  void withSavepoint(String json) throws SQLException {
    // docs:begin savepoint
    Connection connection = tx.currentConnection();
    Savepoint savepoint = connection.setSavepoint();
    writer.write("DiscountGranted", json);
    connection.rollback(savepoint); // the row is gone, and nothing is delivered
    // docs:end savepoint
  }
}
