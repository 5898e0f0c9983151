package outbox.spi;

import java.util.List;
import outbox.model.EventDetails;

/**
 * Keeps events elsewhere before a purge deletes them.
 *
 * <p>Events are deleted only after {@link #archive} has returned, so it must return only when they
 * are safe. What it throws keeps them in the table, and the next purge hands them over again. So
 * does a crash between the two: an archive holds every purged event at least once.
 */
@FunctionalInterface
public interface EventArchiver {

  /** Keeps nothing. */
  EventArchiver NONE = events -> {};

  /** The events of one batch, in the order of the purge; called inside its transaction. */
  void archive(List<EventDetails> events) throws Exception;
}
