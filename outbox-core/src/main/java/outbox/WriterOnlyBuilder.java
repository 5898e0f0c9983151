package outbox;

import java.time.Duration;
import outbox.internal.Require;
import outbox.purge.OutboxPurgeScheduler;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventPurger;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/** Builds an outbox that writes events and delivers none. */
public final class WriterOnlyBuilder extends OutboxBuilder<WriterOnlyBuilder> {

  private @Nullable Duration appendOnlyRetention;

  WriterOnlyBuilder() {}

  /**
   * Deletes events this long after they were written, once the outbox is started; default: none.
   * Only for a table that nothing delivers from, such as one that change data capture reads.
   */
  public WriterOnlyBuilder appendOnlyRetention(Duration appendOnlyRetention) {
    this.appendOnlyRetention = Require.positive("appendOnlyRetention", appendOnlyRetention);
    return this;
  }

  @Override
  WriterOnlyBuilder self() {
    return this;
  }

  @Override
  Engine.Plan plan() {
    Duration retention = appendOnlyRetention;
    if (retention == null) {
      if (isPurgerGiven()) {
        throw new IllegalStateException(
            "a purger is set but nothing would be purged; leave it out, because whoever delivers"
                + " from the table purges it, or set appendOnlyRetention where nobody does");
      }
      return new Engine.Plan(null, null, notifications());
    }
    EventPurger purger = Require.given("purger", purger());
    ConnectionProvider connections = connections();
    OutboxStore store = store();
    return new Engine.Plan(
        null,
        () ->
            OutboxPurgeScheduler.builder()
                .connectionProvider(connections)
                .purger(purger)
                .appendOnlyRetention(retention)
                .clock(store.clock())
                .build(),
        notifications());
  }
}
