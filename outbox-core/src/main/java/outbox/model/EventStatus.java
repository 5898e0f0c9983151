package outbox.model;

/** Where an event stands; DONE and DEAD are final and only a replay leaves DEAD. */
public enum EventStatus {
  NEW(0),
  DONE(1),
  RETRY(2),
  DEAD(3);

  private final int code;

  EventStatus(int code) {
    this.code = code;
  }

  /** The value in the {@code status} column. */
  public int code() {
    return code;
  }

  public static EventStatus of(int code) {
    for (EventStatus status : values()) {
      if (status.code == code) {
        return status;
      }
    }
    throw new IllegalArgumentException("status must be one of 0, 1, 2, 3, got: " + code);
  }

  /** Final states refuse every mark. */
  public boolean isFinal() {
    return this == DONE || this == DEAD;
  }
}
