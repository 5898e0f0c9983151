package outbox.spi;

/** One outbox table with everything that is needed to write to it, deliver from it and purge it. */
public interface OutboxDatabase {

  OutboxStore store();

  /** Connections for the engine itself, apart from business transactions. */
  ConnectionProvider connections();

  /** The business transactions that events are written in. */
  TxContext transactions();

  EventPurger purger();
}
