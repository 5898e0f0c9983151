package outbox.spi;

import java.time.Instant;

/** How the delivery of an event ended, or that it goes on: what the event's row is to say. */
public sealed interface Outcome {

  /** The event was delivered: its row becomes DONE, or is deleted. */
  record Delivered(boolean deleted) implements Outcome {}

  /** A try failed, and there is another one, but not before {@code nextAt}. */
  record Retry(int attempts, Instant nextAt, String error) implements Outcome {}

  /** The last try failed, or no other one makes sense. */
  record Dead(int attempts, String error) implements Outcome {}

  /** No try was made, or none that counts; there is one at {@code nextAt}. */
  record Deferred(int attempts, Instant nextAt) implements Outcome {}

  /** No try was made, and any node may make one now. */
  record Released() implements Outcome {}

  /**
   * A try is about to be made and counts from now on, so that it does if the process dies of it.
   */
  record Started(int attempts) implements Outcome {}

  /** The event waits or is being delivered, and stays claimed: by this claim from now on. */
  record Kept(Claim claim) implements Outcome {}

  /** Whether the event is out of its node's hands then. */
  default boolean isEnd() {
    return !(this instanceof Started || this instanceof Kept);
  }
}
