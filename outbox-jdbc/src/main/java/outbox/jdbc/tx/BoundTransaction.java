package outbox.jdbc.tx;

import java.sql.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.spi.TxCallbacks;

/** A connection in a transaction, and what is to run when that ends. */
final class BoundTransaction {

  private final Connection connection;
  private final TxCallbacks callbacks = new TxCallbacks();
  private final Connection followed;
  private volatile boolean ended;

  BoundTransaction(Connection connection) {
    this.connection = connection;
    followed = callbacks.follow(connection);
  }

  /** For the one that ends the transaction. */
  Connection connection() {
    return connection;
  }

  /** For those who work in the transaction: what they do with savepoints is noticed. */
  Connection followed() {
    return followed;
  }

  TxCallbacks callbacks() {
    return callbacks;
  }

  boolean hasEnded() {
    return ended;
  }

  void end() {
    ended = true;
  }

  void runAfterCommit() {
    Throwable failure = runAll(callbacks.ofCommit(), null);
    if (failure != null) {
      rethrow(failure);
    }
  }

  /** Adds what fails to the cause of the rollback, or throws it if there is none. */
  void runAfterRollback(@Nullable Throwable cause) {
    Throwable failure = runAll(callbacks.ofRollback(), cause);
    if (failure != null && cause == null) {
      rethrow(failure);
    }
  }

  /** Runs every callback; returns the first failure with the later ones suppressed in it. */
  private static @Nullable Throwable runAll(List<Runnable> callbacks, @Nullable Throwable first) {
    for (Runnable callback : callbacks) {
      try {
        callback.run();
      } catch (Throwable e) {
        if (first == null) {
          first = e;
        } else if (first != e) {
          first.addSuppressed(e);
        }
      }
    }
    return first;
  }

  private static void rethrow(Throwable failure) {
    BoundTransaction.<RuntimeException>sneak(failure);
  }

  /** A Runnable declares no checked exception, so what comes out of one is as it was thrown. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(Throwable failure) throws E {
    throw (E) failure;
  }
}
