package outbox.spi;

/** What an operator does about an aggregate whose first event failed. */
public enum KeyAction {
  /** The event is tried again now: as a new one if it was dead. */
  RETRY,
  /** The event is dead, now or already, and those behind it go on. */
  SKIP,
  /** The event stays dead and those behind it go on; not for an event that is tried again. */
  RELEASE,
  /** The event ends DONE, with a reason, and those behind it go on. */
  DISCARD
}
