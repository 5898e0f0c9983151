package outbox.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import outbox.MultiNodeBuilder;
import outbox.OrderedBuilder;
import outbox.Outbox;
import outbox.OutboxBuilder;
import outbox.PollingBuilder;
import outbox.RelayBuilder;
import outbox.WriterHook;
import outbox.dispatch.UnroutablePolicy;
import outbox.jdbc.TableName;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.purge.OutboxPurgeScheduler;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventArchiver;
import outbox.spi.EventPurger;
import outbox.spi.Notifications;
import outbox.spi.OutboxStore;
import outbox.spi.TxContext;

/**
 * Builds an outbox, and what delivers from other tables for it, from the properties and from the
 * beans that take part.
 */
@DependsOnDatabaseInitialization
final class OutboxFactory {

  private final Settings settings;
  private final Tables tables;
  private final Parts parts;
  private final Extras extras;
  private @Nullable Outbox written;

  /** What an outbox is made of; it can do without the last two. */
  record Parts(
      OutboxStore store,
      ConnectionProvider connections,
      TxContext transactions,
      ListenerRegistry listeners,
      @Nullable EventPurger purger,
      @Nullable Notifications notifications) {}

  /** What all outboxes share. */
  record Extras(
      OutboxMeters meters,
      ObjectProvider<WriterHook> writerHooks,
      ObjectProvider<EventArchiver> archiver,
      DispatcherSetup dispatcher) {}

  OutboxFactory(Settings settings, Tables tables, Parts parts, Extras extras) {
    this.settings = settings;
    this.tables = tables;
    this.parts = parts;
    this.extras = extras;
    if (hasOwnStore()) {
      refuseForOwnStore();
    }
  }

  /** The outbox that events are written to, which delivers them too if it is to. */
  Outbox written() {
    written =
        built(
            () ->
                settings.delivers(settings.table())
                    ? relay(settings.table(), parts.store())
                    : writerOnly());
    return written;
  }

  Settings settings() {
    return settings;
  }

  /** What events are delivered to, from all tables. */
  ListenerRegistry listeners() {
    return parts.listeners();
  }

  /** Every table that is written to or delivered from. */
  List<WatchedTable> watched() {
    return settings.tables().stream()
        .map(table -> WatchedTable.of(settings, table, store(table), parts.connections()))
        .toList();
  }

  private OutboxStore store(TableName table) {
    return table.equals(settings.table()) ? parts.store() : tables.store(table);
  }

  boolean made(Outbox outbox) {
    return outbox == written;
  }

  /** Outboxes that only deliver, from other tables. */
  List<Outbox> others() {
    List<Outbox> others = new ArrayList<>();
    for (TableName table : settings.relayed()) {
      if (!table.equals(settings.table())) {
        others.add(built(() -> relay(table, store(table))));
      }
    }
    return others;
  }

  /**
   * @throws RefusedException if a table is missing
   */
  void checkTables() {
    if (!hasOwnStore()) {
      tables.check();
    }
  }

  private boolean hasOwnStore() {
    return !tables.isStore(parts.store());
  }

  private void refuseForOwnStore() {
    OutboxProperties.Each properties = settings.properties();
    refuseForOwnStore("table", properties.table());
    refuseForOwnStore("relay.tables", properties.relay().tables());
    refuseForOwnStore("cleaner.tables", properties.cleaner().tables());
    refuseForOwnStore("schema.initialize", properties.schema().initialize());
  }

  private void refuseForOwnStore(String property, @Nullable Object value) {
    if (value != null) {
      throw new RefusedException(
          settings.property(property)
              + " has no effect, because the application has an OutboxStore bean of its own.",
          "Remove the property and give the table to the bean, or remove the bean.");
    }
  }

  /** The builders check what the properties can't know. */
  private static Outbox built(Supplier<Outbox> outbox) {
    try {
      return outbox.get();
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw Refusals.ofSettings(e);
    }
  }

  private Outbox writerOnly() {
    return parts(Outbox.writerOnly(), settings.table(), parts.store()).build();
  }

  private Outbox relay(TableName table, OutboxStore store) {
    return switch (settings.kind()) {
      case SINGLE -> relay(polling(Outbox.singleNode()), table, store);
      case MULTI -> relay(polling(multi()), table, store);
      case SINGLE_ACTIVE -> relay(reading(multi().singleActive()), table, store);
      case ORDERED -> relay(ordered(), table, store);
      case NOTHING -> throw new IllegalStateException("nothing is delivered");
    };
  }

  private <B extends RelayBuilder<B>> Outbox relay(B builder, TableName table, OutboxStore store) {
    parts(builder, table, store)
        .listenerRegistry(parts.listeners())
        .dispatcher(dispatcher -> extras.dispatcher().apply(dispatcher, settings.properties()));
    return cleaned(builder, table, store).build();
  }

  /** Hooks and wake-ups are about the one table that is written to. */
  private <B extends OutboxBuilder<B>> B parts(B builder, TableName table, OutboxStore store) {
    builder.store(store).connectionProvider(parts.connections()).txContext(parts.transactions());
    builder.metrics(extras.meters().of(settings.label(table)));
    if (store == parts.store()) {
      Stream<WriterHook> hooks =
          settings.writes()
              ? extras.writerHooks().orderedStream()
              : Stream.of(new UnknownTable.Refusing(settings));
      hooks.reduce(WriterHook::andThen).ifPresent(builder::writerHook);
      set(parts.notifications(), builder::notifications);
    }
    return builder;
  }

  private <B extends RelayBuilder<B>> B cleaned(B builder, TableName table, OutboxStore store) {
    if (!settings.cleaned().contains(table)) {
      return builder.keepEnded();
    }
    EventPurger purger = purger(store);
    if (purger == null) {
      refuseWithoutPurger();
      return builder.keepEnded();
    }
    return builder.purger(purger).purge(this::cleaner);
  }

  /** By default what ended is cleaned where it can be. */
  private void refuseWithoutPurger() {
    OutboxProperties.Cleaner cleaner = settings.properties().cleaner();
    boolean isAskedFor =
        Boolean.TRUE.equals(cleaner.enabled())
            || cleaner.interval() != null
            || cleaner.retention() != null
            || cleaner.deadRetention() != null
            || extras.archiver().stream().findAny().isPresent();
    if (isAskedFor) {
      throw new RefusedException(
          "Properties below %s, or an EventArchiver bean, have no effect, because the OutboxStore bean %s comes without an EventPurger: nothing would ever be deleted."
              .formatted(settings.property("cleaner"), parts.store().getClass().getName()),
          "Define an EventPurger bean, or set %s=false and remove the others."
              .formatted(settings.property("cleaner.enabled")));
    }
  }

  private @Nullable EventPurger purger(OutboxStore store) {
    EventPurger own = store == parts.store() ? parts.purger() : null;
    return own == null && store instanceof AbstractJdbcOutboxStore jdbc ? jdbc.purger() : own;
  }

  private OutboxPurgeScheduler.Builder cleaner(OutboxPurgeScheduler.Builder builder) {
    OutboxProperties.Cleaner cleaner = settings.properties().cleaner();
    set(cleaner.interval(), interval -> builder.intervalSeconds(interval.toSeconds()));
    set(cleaner.retention(), builder::retention);
    if (cleaner.deadRetention() != null && !cleaner.deadRetention().isZero()) {
      builder.deadRetention(cleaner.deadRetention());
    }
    extras.archiver().ifAvailable(builder::archiver);
    return builder;
  }

  private MultiNodeBuilder multi() {
    MultiNodeBuilder builder = Outbox.multiNode();
    set(settings.properties().nodeId(), builder::nodeId);
    set(settings.properties().relay().lockTtl(), builder::lease);
    return builder;
  }

  private OrderedBuilder ordered() {
    OutboxProperties.Each properties = settings.properties();
    OrderedBuilder builder = Outbox.ordered();
    set(properties.nodeId(), builder::nodeId);
    set(properties.relay().lockTtl(), builder::lease);
    set(properties.relay().pollInterval(), builder::interval);
    set(properties.relay().batchSize(), builder::batchSize);
    set(properties.ordered().partitions(), builder::partitions);
    set(properties.ordered().onDead(), builder::onDead);
    set(properties.ordered().name(), builder::relay);
    return builder;
  }

  private <B extends PollingBuilder<B>> B polling(B builder) {
    OutboxProperties.Relay relay = settings.properties().relay();
    set(relay.hotPath(), builder::hotPath);
    return relay.unroutable() == UnroutablePolicy.LEAVE
        ? reading(builder).poller(poller -> poller.routableBy(parts.listeners()))
        : reading(builder);
  }

  private <B extends PollingBuilder<B>> B reading(B builder) {
    OutboxProperties.Relay relay = settings.properties().relay();
    set(relay.pollInterval(), builder::interval);
    set(relay.batchSize(), builder::batchSize);
    return builder;
  }

  private static <T> void set(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }
}
