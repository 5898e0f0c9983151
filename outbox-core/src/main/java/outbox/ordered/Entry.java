package outbox.ordered;

import java.time.Instant;
import outbox.dispatch.QueuedEvent;
import outbox.internal.EventSize;
import outbox.util.Nullable;

/**
 * An event in memory that waits for its turn, not before it is due.
 *
 * @param lateSince when it could have been delivered first
 * @param fault why its row could not be read; then the event only has its id
 */
record Entry(
    long seq,
    QueuedEvent event,
    Instant dueAt,
    Instant lateSince,
    @Nullable Fault fault,
    long bytes) {

  /** Why a row could not be read, and whether it ever can. */
  record Fault(String error, boolean isHopeless) {}

  Entry(long seq, QueuedEvent event, Instant dueAt, Instant lateSince, @Nullable Fault fault) {
    this(seq, event, dueAt, lateSince, fault, EventSize.of(event.envelope()));
  }

  String eventId() {
    return event.envelope().eventId();
  }

  /** The same event, to be tried again. */
  Entry again(int attempts, Instant nextAt) {
    QueuedEvent next = new QueuedEvent(event.envelope(), event.source(), attempts);
    return new Entry(seq, next, nextAt, lateSince, fault, bytes);
  }
}
