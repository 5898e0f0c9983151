package outbox;

/**
 * What an outbox has in hand: events that wait in its two queues, and all that are not yet settled,
 * those included.
 */
public record OutboxStatus(State state, int hotQueued, int coldQueued, int inFlight) {

  /** Where an outbox is in its life. */
  public enum State {
    /** Not started, or stopped: writes events and delivers none. */
    READY,
    STARTED,
    /** Still writes events, which others deliver or the next start does. */
    CLOSED
  }
}
