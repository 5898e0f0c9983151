package outbox.destination;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.BatchResult;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.RetryAfterException;
import outbox.internal.ErrorText;

/**
 * Passes on what a destination says of the events of a batch, with an outage turned into a delay,
 * and learns from it whether the destination is there.
 */
final class GuardedBatch implements BatchResult {

  private final List<EventEnvelope> events;
  private final BatchResult result;
  private final Deferral deferral;
  private final Tally tally;
  private final Set<String> open = new HashSet<>();
  private final Set<String> delivered = new HashSet<>();
  private boolean anyRefused;
  private @Nullable UnavailableException outage;
  private @Nullable Duration pause;
  private @Nullable Throwable lastFailure;
  private boolean ended;

  GuardedBatch(List<EventEnvelope> events, BatchResult result, Deferral deferral, Tally tally) {
    this.events = events;
    this.result = result;
    this.deferral = deferral;
    this.tally = tally;
    events.forEach(event -> open.add(event.eventId()));
  }

  List<EventEnvelope> events() {
    return events;
  }

  @Override
  public synchronized void delivered(EventEnvelope event) {
    if (!ended && open.remove(event.eventId())) {
      delivered.add(event.eventId());
      tally.delivered.increment();
    }
    if (!ended) {
      result.delivered(event);
    }
  }

  @Override
  public synchronized void failed(EventEnvelope event, Throwable failure) {
    if (!ended) {
      open.remove(event.eventId());
      result.failed(event, judged(failure));
    }
  }

  /** What nothing was said of is delivered, or has failed with the stage. */
  synchronized void end(@Nullable Throwable failure) {
    for (EventEnvelope event : events) {
      if (open.contains(event.eventId())) {
        if (failure == null) {
          delivered(event);
        } else {
          failed(event, failure);
        }
      }
    }
    conclude();
  }

  /**
   * No answer came in time. Whoever waits behind others may have waited for them: that is an
   * outage. With an event that was overtaken, in this batch or by a later one, something is wrong.
   */
  synchronized void endTooLate(String message, boolean wasOvertaken) {
    boolean isOvertaken = wasOvertaken;
    boolean wasRefused = anyRefused;
    for (int i = events.size() - 1; i >= 0; i--) {
      EventEnvelope event = events.get(i);
      if (open.contains(event.eventId())) {
        failed(
            event,
            isOvertaken
                ? new OutboxException(message, null)
                : new UnavailableException(message, null));
      } else if (delivered.contains(event.eventId())) {
        isOvertaken = true;
      }
    }
    anyRefused = wasRefused; // that we wait no longer is no word of the destination's
    conclude();
  }

  synchronized boolean anyDelivered() {
    return !delivered.isEmpty();
  }

  /** Whether the destination had something against an event: then it is there. */
  synchronized boolean anyRefused() {
    return anyRefused;
  }

  /** Null if something was delivered, or if nothing that failed was an outage. */
  synchronized @Nullable UnavailableException outage() {
    return anyDelivered() ? null : outage;
  }

  /** The longest that the destination asked to be left alone for, if it did. */
  synchronized Optional<Duration> pause() {
    return Optional.ofNullable(pause);
  }

  private void conclude() {
    ended = true;
    if (lastFailure != null) {
      tally.failed(lastFailure, events);
    }
  }

  private Throwable judged(Throwable failure) {
    lastFailure = failure;
    Throwable decisive = decisive(failure);
    if (decisive instanceof UnavailableException unavailable) {
      outage = unavailable;
      unavailable.pause().ifPresent(this::noteThatItAskedFor);
      tally.deferred.increment();
      return deferral.becauseOf(unavailable);
    }
    if (decisive instanceof DeferException) {
      tally.deferred.increment();
    } else {
      anyRefused |= decisive instanceof OutboxException;
      tally.failed.increment();
    }
    return failure;
  }

  private void noteThatItAskedFor(Duration asked) {
    pause = pause == null || asked.compareTo(pause) > 0 ? asked : pause;
  }

  /** The outermost that says by its type what is wrong, as for any listener. */
  private static Throwable decisive(Throwable failure) {
    return ErrorText.chain(failure).stream()
        .filter(GuardedBatch::isDecisive)
        .findFirst()
        .orElse(failure);
  }

  private static boolean isDecisive(Throwable failure) {
    return failure instanceof UnavailableException
        || failure instanceof DeferException
        || failure instanceof RetryAfterException
        || failure instanceof NonRetryableException;
  }
}
