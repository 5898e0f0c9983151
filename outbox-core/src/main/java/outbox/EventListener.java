package outbox;

/**
 * Receives each committed event at least once; returning means delivered, throwing means try again
 * later.
 *
 * <p>One listener serves one pair of aggregate type and event type. It is called by several worker
 * threads at once and must be safe for that, and idempotent by event id. What concerns all events
 * (auditing, logging) belongs in an {@link outbox.dispatch.EventInterceptor}.
 */
@FunctionalInterface
public interface EventListener {

  void onEvent(EventEnvelope event) throws Exception;
}
