package outbox;

import outbox.internal.Require;

/** An event type known only at run time. */
public record StringEventType(String name) implements EventType {

  public StringEventType {
    Require.notEmpty("event type name", name);
  }

  public static StringEventType of(String name) {
    return new StringEventType(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
