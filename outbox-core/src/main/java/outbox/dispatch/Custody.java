package outbox.dispatch;

import java.time.Instant;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/** Who follows an event that is in a dispatcher's hands, and has the right to it. */
public interface Custody {

  /** False once the event may be others'; asked before every delivery. */
  boolean isOurs();

  /** Since when the event could have been delivered; null if that is since it was handed over. */
  default @Nullable Instant lateSince() {
    return null;
  }

  /** What became of the event is refused by its row; called before {@link #ended}. */
  default void unwritable() {}

  /**
   * The event is out of the dispatcher's hands. Called once, by whatever thread ended it; must be
   * quick.
   *
   * @param written what its row says now; null if that could not be written, or was not ours to
   *     write any more
   */
  void ended(@Nullable Outcome written);
}
