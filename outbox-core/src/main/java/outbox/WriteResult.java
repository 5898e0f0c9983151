package outbox;

/** What became of an {@link OutboxWriter#writeIfAbsent}. */
public enum WriteResult {

  /** This call wrote the event; it exists once the transaction commits. */
  WRITTEN,

  /** An event with this id was there before, and stays as it is. */
  ALREADY_THERE,

  /** The writer's hook had nothing written. */
  SUPPRESSED;

  /** True if this call wrote the event. */
  public boolean isWritten() {
    return this == WRITTEN;
  }
}
