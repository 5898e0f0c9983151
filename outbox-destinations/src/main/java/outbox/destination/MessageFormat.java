package outbox.destination;

import outbox.EventEnvelope;

/** Makes the message of an event. Safe for all threads. */
@FunctionalInterface
public interface MessageFormat {

  Message format(EventEnvelope event, Protocol protocol);
}
