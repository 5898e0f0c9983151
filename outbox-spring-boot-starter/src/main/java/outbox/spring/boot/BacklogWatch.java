package outbox.spring.boot;

import java.util.ArrayList;
import java.util.List;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import outbox.micrometer.BacklogMeters;

/**
 * Watches what waits in every table that the outboxes of this context write to or deliver from,
 * once they have seen that the tables are there, and until the context is closed.
 */
final class BacklogWatch implements ApplicationListener<ContextRefreshedEvent>, AutoCloseable {

  private final RegisteredMeters meters;
  private final WatchedOutboxes outboxes;
  private final List<BacklogMeters> watched = new ArrayList<>();

  BacklogWatch(RegisteredMeters meters, WatchedOutboxes outboxes) {
    this.meters = meters;
    this.outboxes = outboxes;
  }

  /** Also told of contexts below this one, which change nothing. */
  @Override
  public synchronized void onApplicationEvent(ContextRefreshedEvent event) {
    if (watched.isEmpty()) {
      outboxes
          .tablesOfThisContext()
          .forEach(table -> watched.add(meters.watch(table.name(), table.backlog())));
    }
  }

  @Override
  public synchronized void close() {
    watched.forEach(BacklogMeters::close);
    watched.clear();
  }
}
