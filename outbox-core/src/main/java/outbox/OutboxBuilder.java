package outbox;

import outbox.internal.Require;
import outbox.ordered.BlockedKeys;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventPurger;
import outbox.spi.MetricsExporter;
import outbox.spi.Notifications;
import outbox.spi.OutboxDatabase;
import outbox.spi.OutboxStore;
import outbox.spi.TxContext;
import outbox.util.Nullable;

/**
 * What every outbox is built from: {@link #database}, or its parts one by one.
 *
 * @param <B> the builder itself
 */
public abstract sealed class OutboxBuilder<B extends OutboxBuilder<B>>
    permits RelayBuilder, WriterOnlyBuilder {

  private @Nullable OutboxStore store;
  private @Nullable ConnectionProvider connections;
  private @Nullable TxContext transactions;
  private @Nullable EventPurger purger;
  private boolean isPurgerGiven;
  private @Nullable Notifications notifications;
  private WriterHook writerHook = WriterHook.NOOP;
  private MetricsExporter metrics = MetricsExporter.NOOP;

  OutboxBuilder() {}

  /** Sets store, connections, transactions and purger; what is set after it replaces its part. */
  public B database(OutboxDatabase database) {
    store = database.store();
    connections = database.connections();
    transactions = database.transactions();
    purger = database.purger();
    isPurgerGiven = false;
    return self();
  }

  public B store(OutboxStore store) {
    this.store = store;
    return self();
  }

  /** Connections for the engine itself, apart from business transactions. */
  public B connectionProvider(ConnectionProvider connections) {
    this.connections = connections;
    return self();
  }

  public B txContext(TxContext transactions) {
    this.transactions = transactions;
    return self();
  }

  /** What deletes events that ended long ago; without one nothing is purged. */
  public B purger(EventPurger purger) {
    this.purger = purger;
    isPurgerGiven = true;
    return self();
  }

  /**
   * Tells other processes of events that this one doesn't deliver itself, and is told of theirs,
   * from {@link Outbox#start} on; default: they are found by polling.
   */
  public B notifications(Notifications notifications) {
    this.notifications = Require.given("notifications", notifications);
    return self();
  }

  /** Sees every batch of events on its way into the outbox; default: none. */
  public B writerHook(WriterHook writerHook) {
    this.writerHook = Require.given("writerHook", writerHook);
    return self();
  }

  /** Where counts and measurements go; default: nowhere. */
  public B metrics(MetricsExporter metrics) {
    this.metrics = Require.given("metrics", metrics);
    return self();
  }

  /** An outbox that writes events at once and delivers them once it is started. */
  public Outbox build() {
    OutboxStore on = store();
    Engine engine = new Engine(plan());
    WriterHook users = CountingHook.before(writerHook, metrics);
    return new Outbox(
        new OutboxWriter(
            () -> HookPair.of(engine.hook(), users), Require.given("txContext", transactions), on),
        on,
        connections(),
        blockedKeys(),
        engine);
  }

  abstract B self();

  /** Makes nothing yet; refuses what contradicts itself. */
  abstract Engine.Plan plan();

  /** Null where order is not kept. */
  @Nullable
  BlockedKeys blockedKeys() {
    return null;
  }

  final OutboxStore store() {
    return Require.given("store", store);
  }

  final ConnectionProvider connections() {
    return Require.given("connectionProvider", connections);
  }

  final MetricsExporter metrics() {
    return metrics;
  }

  final @Nullable Notifications notifications() {
    return notifications;
  }

  final @Nullable EventPurger purger() {
    return purger;
  }

  /** Whether somebody asked for the purger, which else comes with the database. */
  final boolean isPurgerGiven() {
    return isPurgerGiven;
  }
}
