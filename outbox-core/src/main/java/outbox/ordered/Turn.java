package outbox.ordered;

import java.time.Instant;
import outbox.dispatch.Custody;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/** One event of a lane in the dispatcher's hands, under the session it was handed over in. */
final class Turn implements Custody {

  private final Lanes lanes;
  private final Lane lane;
  private final Entry entry;
  private final Session session;
  private final boolean isSuspect;

  Turn(Lanes lanes, Lane lane, Entry entry, Session session) {
    this.lanes = lanes;
    this.lane = lane;
    this.entry = entry;
    this.session = session;
    isSuspect = lane.isSuspect();
  }

  Lane lane() {
    return lane;
  }

  Entry entry() {
    return entry;
  }

  Session session() {
    return session;
  }

  /** Whether the event may have killed the process that had it before. */
  boolean isSuspect() {
    return isSuspect;
  }

  @Override
  public boolean isOurs() {
    return session.isAlive();
  }

  @Override
  public Instant lateSince() {
    return entry.lateSince();
  }

  @Override
  public void ended(@Nullable Outcome written) {
    lanes.ended(this, written);
  }
}
