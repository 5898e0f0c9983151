package outbox.destination;

import outbox.EventEnvelope;

/** Makes the message of an event; the same one at every try. Safe for all threads. */
@FunctionalInterface
public interface MessageFormat {

  Message format(EventEnvelope event, Protocol protocol);

  /**
   * The payload byte for byte, with the event's headers and {@link MessageHeaders} beside it. The
   * content type is the event's {@link outbox.EventHeaders#CONTENT_TYPE}, or else {@code
   * application/json} for text and {@code application/octet-stream} for bytes. Headers without a
   * value are left out.
   */
  static MessageFormat raw() {
    return RawFormat.INSTANCE;
  }
}
