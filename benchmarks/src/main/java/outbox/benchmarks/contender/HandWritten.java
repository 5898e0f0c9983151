package outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * The table of this library, filled by statements written by hand: what it is slower by than raw
 * JDBC is the price of the table, and the rest is the library's.
 */
final class HandWritten implements Contender {

  static final String SETTINGS = "the table of this library, writers as with raw JDBC";

  /** Eight bytes of time by the server, where the library sends the event's own times. */
  private static final String INSERT =
      """
      INSERT INTO outbox_event
        (status, attempts, event_id, event_type, payload, available_at, created_at)
      VALUES (0, 0, ?, ?, CAST(? AS JSON), now(), now())
      """;

  private static final String EVENT_TYPE = "Tick";

  /** As long as an id of this library, and as theirs later ones are greater. */
  private static final String ZEROS = "0".repeat(26);

  private final Setup setup;
  private final OurOutbox outbox;

  HandWritten(Setup setup) {
    this.setup = setup;
    outbox = new OurOutbox(setup, OurOutbox.Tuning.THROUGHPUT);
  }

  @Override
  public void createTables() throws SQLException {
    outbox.createTables();
  }

  @Override
  public void write(long id) throws SQLException {
    try (Connection connection = setup.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement business = BusinessTable.prepare(connection);
          PreparedStatement event = connection.prepareStatement(INSERT)) {
        BusinessTable.bind(business, id);
        business.executeUpdate();
        event.setString(1, eventId(id));
        event.setString(2, EVENT_TYPE);
        event.setString(3, Payload.of(id));
        event.executeUpdate();
        connection.commit();
      }
    }
  }

  private static String eventId(long id) {
    String digits = Long.toString(id);
    return ZEROS.substring(digits.length()) + digits;
  }

  @Override
  public void fill(long from, long to) throws SQLException {
    outbox.fill(from, to);
  }

  @Override
  public void start(EventSink sink) {
    outbox.start(sink);
  }

  @Override
  public long pending() throws SQLException {
    return outbox.pending();
  }

  @Override
  public void close() {
    outbox.close();
  }
}
