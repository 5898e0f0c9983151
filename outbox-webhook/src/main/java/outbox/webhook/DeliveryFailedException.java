package outbox.webhook;

import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/** One try has failed, and the next one may not. */
final class DeliveryFailedException extends OutboxException {

  private static final long serialVersionUID = 1L;

  DeliveryFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
