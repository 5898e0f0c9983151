package outbox;

import java.util.Objects;
import outbox.dead.DeadEventManager;
import outbox.ordered.BlockedKeys;
import outbox.spi.ConnectionProvider;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/**
 * A whole outbox: events written in business transactions reach their listeners, from a commit
 * straight away and from the database whatever happens.
 *
 * <p>{@link #singleNode} is for one process alone on its table, {@link #multiNode} for any number
 * of them, {@link #ordered} for any number that keep the order of each aggregate, {@link
 * #writerOnly} for a process whose events others deliver. Events can be written before {@link
 * #start}; they are delivered after it. Safe for all threads.
 *
 * <pre>{@code
 * JdbcDatabase database = JdbcDatabase.of(dataSource);
 * try (Outbox outbox =
 *     Outbox.singleNode()
 *         .database(database)
 *         .listener("OrderPlaced", event -> send(event.payloadJson()))
 *         .build()) {
 *   outbox.start();
 *   try (var tx = database.begin()) {
 *     outbox.writer().write("OrderPlaced", "{\"id\":42}");
 *     tx.commit();
 *   }
 * }
 * }</pre>
 */
public final class Outbox implements AutoCloseable {

  private final OutboxWriter writer;
  private final OutboxStore store;
  private final ConnectionProvider connections;
  private final DeadEventManager dead;
  private final @Nullable BlockedKeys blockedKeys;
  private final Engine engine;

  Outbox(
      OutboxWriter writer,
      OutboxStore store,
      ConnectionProvider connections,
      @Nullable BlockedKeys blockedKeys,
      Engine engine) {
    this.writer = Objects.requireNonNull(writer);
    this.store = Objects.requireNonNull(store);
    this.connections = Objects.requireNonNull(connections);
    dead = new DeadEventManager(connections, store);
    this.blockedKeys = blockedKeys;
    this.engine = Objects.requireNonNull(engine);
  }

  /** For the only process that delivers from its table: no claims, and so the least work. */
  public static SingleNodeBuilder singleNode() {
    return new SingleNodeBuilder();
  }

  /** For any number of processes on one table: each event is claimed by one of them. */
  public static MultiNodeBuilder multiNode() {
    return new MultiNodeBuilder();
  }

  /**
   * For any number of processes on one table that deliver the events of each aggregate in order:
   * each aggregate belongs to one of them at a time. An event without aggregate has no order.
   */
  public static OrderedBuilder ordered() {
    return new OrderedBuilder();
  }

  /** For a process that writes events and leaves their delivery to others. */
  public static WriterOnlyBuilder writerOnly() {
    return new WriterOnlyBuilder();
  }

  public OutboxWriter writer() {
    return writer;
  }

  /** What has its events; for those who count or show them. */
  public OutboxStore store() {
    return store;
  }

  /** Connections to the database of {@link #store}, apart from business transactions. */
  public ConnectionProvider connections() {
    return connections;
  }

  /** The dead letters of the table. */
  public DeadEventManager dead() {
    return dead;
  }

  /**
   * The aggregates whose events wait because the first of them failed.
   *
   * @throws IllegalStateException if this outbox keeps no order
   */
  public BlockedKeys blockedKeys() {
    if (blockedKeys == null) {
      throw new IllegalStateException(
          "only Outbox.ordered() keeps events in order, and so nothing is blocked here");
    }
    return blockedKeys;
  }

  /**
   * Delivers from now on; starting twice is harmless.
   *
   * @throws IllegalStateException after close
   */
  public void start() {
    engine.start();
  }

  /**
   * Stops delivering as {@link #close} does, until it is started again. Events can be written all
   * the time; meanwhile they are left to other processes or to the next start.
   */
  public void stop() {
    engine.stop();
  }

  /** What this process has in hand. */
  public OutboxStatus status() {
    return engine.status();
  }

  /**
   * Stops taking events, delivers what is in hand for as long as the drain timeout allows, and
   * gives the rest back to the database. Closes nothing that it was given.
   */
  @Override
  public void close() {
    engine.close();
  }
}
