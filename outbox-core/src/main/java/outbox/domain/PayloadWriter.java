package outbox.domain;

/** Writes an event as JSON. Must be safe for all threads. */
@FunctionalInterface
public interface PayloadWriter {

  String write(Object event) throws Exception;
}
