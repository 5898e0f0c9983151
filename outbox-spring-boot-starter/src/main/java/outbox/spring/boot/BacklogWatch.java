package outbox.spring.boot;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import outbox.BacklogReader;
import outbox.jdbc.TableName;
import outbox.micrometer.BacklogMeters;
import outbox.spi.ConnectionProvider;

/**
 * Watches what waits in every table that this application writes to or delivers from, once the
 * outbox has seen that the tables are there, and until the context is closed. Tables of outboxes of
 * the application's own are not known here.
 */
final class BacklogWatch implements ApplicationListener<ContextRefreshedEvent>, AutoCloseable {

  private final RegisteredMeters meters;
  private final Settings settings;
  private final @Nullable OutboxFactory factory;
  private final @Nullable ConnectionProvider connections;
  private final List<BacklogMeters> watched = new ArrayList<>();

  BacklogWatch(
      RegisteredMeters meters,
      Settings settings,
      @Nullable OutboxFactory factory,
      @Nullable ConnectionProvider connections) {
    this.meters = meters;
    this.settings = settings;
    this.factory = factory;
    this.connections = connections;
  }

  /** Also told of contexts below this one, which change nothing. */
  @Override
  public synchronized void onApplicationEvent(ContextRefreshedEvent event) {
    if (watched.isEmpty() && factory != null && connections != null) {
      for (TableName table : settings.tables()) {
        watched.add(meters.watch(table, new BacklogReader(connections, factory.store(table))));
      }
    }
  }

  @Override
  public synchronized void close() {
    watched.forEach(BacklogMeters::close);
    watched.clear();
  }
}
