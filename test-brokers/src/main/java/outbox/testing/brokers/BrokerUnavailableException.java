package outbox.testing.brokers;

import org.jspecify.annotations.Nullable;

/** A broker can't be started or controlled; says why, with the end of its log. */
public final class BrokerUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  BrokerUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  static BrokerUnavailableException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new BrokerUnavailableException("interrupted while waiting for a broker", cause);
  }
}
