package outbox.rabbitmq;

import outbox.destination.UnavailableException;

/**
 * The broker has no room for the event now, and nothing against it. If it says so of a whole batch,
 * that is an outage; of a part of it, that part is put off.
 */
final class NackedException extends UnavailableException {

  private static final long serialVersionUID = 1L;

  NackedException(String message) {
    super(message, null);
  }
}
