package outbox.internal;

import java.util.function.UnaryOperator;
import outbox.EventEnvelope;
import outbox.spi.TraceHeaders;

/** Has a tracer add to events that are written, and goes on without it where it fails. */
public final class TracedWrites {

  private final UnaryOperator<EventEnvelope> tracer;
  private final RateLimitedLog log;

  /** Logs under the name of the given class. */
  public TracedWrites(Class<?> owner, UnaryOperator<EventEnvelope> tracer) {
    this.tracer = tracer;
    this.log = new RateLimitedLog(SafeLogger.of(owner));
  }

  /**
   * The event as the tracer returns it; as it is, if it belongs to a trace or the tracer fails.
   * That goes for errors too: a tracer of another version lacks methods, say. Only the JVM's own
   * are passed on.
   */
  public EventEnvelope traced(EventEnvelope event) {
    try {
      return TraceHeaders.areIn(event) ? event : tracer.apply(event);
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable e) {
      log.warn(
          1,
          times ->
              "tracing failed; events are written without a trace: times=%d latest=%s"
                  .formatted(times, event),
          e);
      return event;
    }
  }
}
