package outbox.ordered;

import java.util.Map;
import outbox.EventEnvelope;
import outbox.EventHeaders;
import outbox.dispatch.QueuedEvent;
import outbox.internal.ErrorText;
import outbox.internal.PayloadMask;
import outbox.model.OutboxEvent;
import outbox.spi.EventRow;
import outbox.spi.OrderedPage;
import outbox.util.JsonCodec;
import outbox.util.Nullable;

/** Turns rows into events that know their number and the epoch they are delivered in. */
record EntryReader(JsonCodec codec) {

  /** A row that can't be read becomes an entry that says so when its turn comes. */
  Entry read(OrderedPage.Row row, long epoch) {
    OutboxEvent event = row.event();
    try {
      Map<String, String> headers =
          Map.of(
              EventHeaders.SEQUENCE, Long.toString(row.seq()),
              EventHeaders.EPOCH, Long.toString(epoch));
      return entry(row, EventRow.decode(event, codec, headers), null);
    } catch (RuntimeException | Error e) {
      EventEnvelope nameless =
          EventEnvelope.builder("unreadable").eventId(event.eventId()).payloadJson("").build();
      return entry(row, nameless, new Entry.Fault(describe(event, e), isHopeless(e)));
    }
  }

  private static boolean isHopeless(Throwable cause) {
    return cause instanceof IllegalArgumentException;
  }

  /** A codec is the user's, and may tell what it read. */
  private static String describe(OutboxEvent row, Throwable cause) {
    return ErrorText.harmless(ErrorText.of(cause, message -> PayloadMask.hide(message, row)));
  }

  private static Entry entry(
      OrderedPage.Row row, EventEnvelope envelope, Entry.@Nullable Fault fault) {
    QueuedEvent queued = new QueuedEvent(envelope, QueuedEvent.Source.COLD, row.event().attempts());
    return new Entry(row.seq(), queued, row.availableAt(), row.lateSince(), fault);
  }
}
