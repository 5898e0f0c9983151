package outbox.spring.boot;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventHeaders;

/**
 * What an observation knows of the events that a listener is called with. They go on with the trace
 * that they were written in; those of several traces begin one of their own.
 */
final class DeliveryContext extends ReceiverContext<EventEnvelope> {

  private static final Pattern TRACEPARENT =
      Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2}).*");

  private final List<Written> written;

  /** The span that an event was written in. */
  record Written(String traceId, String spanId, boolean isSampled) {

    static @Nullable Written of(EventEnvelope event) {
      String header = event.header(EventHeaders.TRACEPARENT);
      Matcher matcher = TRACEPARENT.matcher(header == null ? "" : header);
      return matcher.matches()
          ? new Written(matcher.group(1), matcher.group(2), isSampled(matcher.group(3)))
          : null;
    }

    private static boolean isSampled(String flags) {
      return (Integer.parseInt(flags, 16) & 1) == 1;
    }
  }

  DeliveryContext(List<EventEnvelope> events) {
    super((event, name) -> event.header(name), Kind.CONSUMER);
    written = events.stream().map(Written::of).filter(Objects::nonNull).toList();
    setCarrier(events.size() == 1 || isOneTrace(events) ? events.get(0) : NOWHERE);
  }

  /** Stands for events that don't have a trace in common. */
  private static final EventEnvelope NOWHERE = EventEnvelope.ofJson("none", "{}");

  List<Written> written() {
    return written;
  }

  private boolean isOneTrace(List<EventEnvelope> events) {
    return written.size() == events.size()
        && written.stream().map(Written::traceId).distinct().count() == 1;
  }
}
