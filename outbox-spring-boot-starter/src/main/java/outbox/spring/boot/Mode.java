package outbox.spring.boot;

/** What {@code outbox.mode} can be: the four kinds of {@link outbox.Outbox}. */
enum Mode {
  /** For any number of instances: each event is claimed by one of them. */
  MULTI,
  /** For the only process that ever delivers from its table, deployments included. */
  SINGLE,
  /** For any number of instances, each aggregate's events in order. */
  ORDERED,
  /** Writes events and leaves their delivery to other processes. */
  WRITER_ONLY
}
