package outbox.dispatch;

/** No listener is registered for the event; trying again would not help. */
public final class UnroutableEventException extends Exception {

  private static final long serialVersionUID = 1L;

  public UnroutableEventException(String message) {
    super(message);
  }
}
