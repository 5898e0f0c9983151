package outbox.spi;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import outbox.OutboxException;
import outbox.internal.PayloadMask;
import outbox.internal.ToldFailure;
import outbox.model.EventDetails;

/** Which events a purge deletes, how many at most, and who keeps them before that. */
public record PurgeRequest(Scope scope, Instant before, int limit, EventArchiver archiver) {

  /** What can be purged, each by its own age. */
  public enum Scope {
    /** Delivered or discarded; by the time they ended. */
    DONE,
    /** Buried; by the time they ended. */
    DEAD,
    /**
     * NEW and claimed by nobody, for tables that are only ever appended to; by the time they were
     * created, and not before they are due. Where a relay works on the table this is loss.
     */
    UNCLAIMED
  }

  public PurgeRequest {
    Objects.requireNonNull(scope, "scope must not be null");
    Objects.requireNonNull(before, "before must not be null");
    Objects.requireNonNull(archiver, "archiver must not be null");
  }

  public boolean archives() {
    return archiver != EventArchiver.NONE;
  }

  /**
   * Hands over what is about to be deleted.
   *
   * @throws OutboxException if the archiver failed; the events must not be deleted
   */
  public void archive(List<EventDetails> events) {
    if (events.isEmpty()) {
      return;
    }
    try {
      archiver.archive(events);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notArchived(events, e);
    } catch (Exception e) {
      throw notArchived(events, e);
    }
  }

  private static OutboxException notArchived(List<EventDetails> events, Exception cause) {
    return new OutboxException(
        "could not archive %d events, the first of them %s; none of them is deleted"
            .formatted(events.size(), events.get(0).event().eventId()),
        ToldFailure.of(
            cause, PayloadMask.ofRows(events.stream().map(EventDetails::event).toList())));
  }
}
