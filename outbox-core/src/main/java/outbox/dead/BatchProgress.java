package outbox.dead;

/**
 * How far a replay or discard of many events has got.
 *
 * @param matched how many matched at the start
 * @param changed how many were replayed or discarded
 * @param skipped how many were left to someone who was faster; known when it has completed
 */
public record BatchProgress(State state, int matched, int changed, int skipped) {

  /** Whether it goes on, and if not, why. */
  public enum State {
    RUNNING,
    /** Nothing is left that matched at the start. */
    COMPLETED,
    /** Counted only, as asked. */
    DRY_RUN,
    /** By the signal or by an interrupt; the rest is as it was. */
    STOPPED,
    /** The database failed, the log says how; the rest is as it was. */
    FAILED
  }
}
