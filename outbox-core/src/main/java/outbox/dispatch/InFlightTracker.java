package outbox.dispatch;

import outbox.util.Nullable;

/** Keeps one event from being in this process's hands twice. */
public interface InFlightTracker {

  /** False if the event is in flight already. */
  boolean tryAcquire(String eventId);

  void release(String eventId);

  /**
   * Like {@link #tryAcquire}, answering with a hold that only its owner can release; null if the
   * event is in flight already. The default releases by id, which is right where holds never
   * expire.
   */
  default @Nullable Hold acquire(String eventId) {
    return tryAcquire(eventId) ? () -> release(eventId) : null;
  }

  /** The right to work on one event, from the moment it is queued until its status is written. */
  @FunctionalInterface
  interface Hold {

    void release();

    /** False once the hold expired and someone else has taken the event over. */
    default boolean isCurrent() {
      return true;
    }
  }
}
