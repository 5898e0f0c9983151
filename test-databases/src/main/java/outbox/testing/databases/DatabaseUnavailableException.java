package outbox.testing.databases;

/** A database could not be started or reached; the message says why and what to do about it. */
public final class DatabaseUnavailableException extends RuntimeException {
  DatabaseUnavailableException(String message) {
    super(message);
  }

  DatabaseUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  static DatabaseUnavailableException notStarted(Engine engine, Exception cause, String log) {
    return new DatabaseUnavailableException(
        """
        %s did not start: %s
        Set %s to use a running server instead.
        The end of its log:
        %s\
        """
            .formatted(engine.title(), cause.getMessage(), engine.urlVariable(), log),
        cause);
  }
}
