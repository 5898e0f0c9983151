package outbox;

/** The name that routes an event to its listener; usually an enum constant. */
public interface EventType {

  String name();
}
