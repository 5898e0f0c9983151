package outbox.destination;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.RetryAfterException;
import outbox.destination.EventHandlers.NamedHandler;
import outbox.internal.ErrorText;

/** Runs every handler, and joins what they threw. */
final class HandlerGroup implements EventListener {

  private static final Clock CLOCK = Clock.systemUTC();

  private final List<NamedHandler> handlers;

  HandlerGroup(List<NamedHandler> handlers) {
    this.handlers = List.copyOf(handlers);
  }

  @Override
  public void onEvent(EventEnvelope event) throws Exception {
    Map<String, Throwable> failures = new LinkedHashMap<>();
    for (NamedHandler handler : handlers) {
      try {
        handler.handler().onEvent(event);
      } catch (InterruptedException e) {
        throw e; // somebody wants the thread back; the others run at the next try
      } catch (Throwable e) {
        failures.put(handler.name(), e);
      }
    }
    if (!failures.isEmpty()) {
      throw joined(event, failures);
    }
  }

  private RuntimeException joined(EventEnvelope event, Map<String, Throwable> failures) {
    String message =
        "%d of %d handlers of event %s failed: %s"
            .formatted(
                failures.size(),
                handlers.size(),
                event.eventId(),
                failures.entrySet().stream()
                    .map(failure -> failure.getKey() + ": " + ErrorText.of(failure.getValue()))
                    .collect(Collectors.joining("; ")));
    RuntimeException joined = saying(message, List.copyOf(failures.values()));
    failures.values().forEach(joined::addSuppressed);
    return joined;
  }

  /**
   * Says by its type what all of them say; where they don't agree, the event is tried again. None
   * of them is the cause, which would speak for the others.
   */
  private static RuntimeException saying(String message, List<Throwable> failures) {
    if (failures.stream().allMatch(failure -> has(failure, NonRetryableException.class))) {
      return new NonRetryableException(message);
    }
    if (failures.stream().allMatch(failure -> has(failure, DeferException.class))) {
      return new DeferException(longest(failures), message);
    }
    Duration notBefore = longest(failures);
    return notBefore.isZero()
        ? new OutboxException(message, null)
        : new RetryAfterException(notBefore, message);
  }

  private static Duration longest(List<Throwable> failures) {
    return failures.stream()
        .flatMap(failure -> ErrorText.chain(failure).stream())
        .map(HandlerGroup::delay)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private static Duration delay(Throwable failure) {
    if (failure instanceof DeferException defer) {
      return defer.delay();
    }
    return failure instanceof RetryAfterException later
        ? later.delayFrom(CLOCK.instant())
        : Duration.ZERO;
  }

  private static boolean has(Throwable failure, Class<? extends Throwable> type) {
    return ErrorText.chain(failure).stream().anyMatch(type::isInstance);
  }
}
