package outbox.dispatch;

/** Something that has to end in time. */
interface Watch {

  long NEVER = Long.MAX_VALUE;

  /** Acts if the time is over; returns the nanoseconds until there is something to do again. */
  long look(long nowNanos);
}
