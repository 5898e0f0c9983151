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
  private volatile boolean isSuspect;

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

  /**
   * Whether a try of the event has to be counted at its start, because its end may never be
   * written.
   */
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
  public void unwritable() {
    isSuspect = true;
  }

  @Override
  public void ended(@Nullable Outcome written) {
    lanes.ended(this, written);
  }
}
