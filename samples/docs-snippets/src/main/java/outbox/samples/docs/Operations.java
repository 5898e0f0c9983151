package outbox.samples.docs;

import java.nio.file.Path;
import java.time.Duration;
import outbox.dead.DeadEventManager;
import outbox.jdbc.purge.H2EventPurger;
import outbox.model.OutboxEvent;
import outbox.poller.OutboxPoller;
import outbox.purge.JsonLinesArchiver;
import outbox.purge.OutboxPurgeScheduler;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventPurger;
import outbox.spi.OutboxStore;

/** What is done with events that have ended: look, replay, purge. */
final class Operations {

  private final ConnectionProvider connections;
  private final OutboxStore store;

  Operations(ConnectionProvider connections, OutboxStore store) {
    this.connections = connections;
    this.store = store;
  }

  void replay(OutboxPoller poller) {
    // docs:begin replay
    DeadEventManager deadEvents = new DeadEventManager(connections, store);
    for (OutboxEvent event : deadEvents.query("OrderPlaced", null, 20)) {
      deadEvents
          .find(event.eventId())
          .ifPresent(details -> System.out.println(event + ": " + details.lastError()));
    }

    deadEvents.replayAll("OrderPlaced", null, 100);
    poller.wake();
    // docs:end replay
  }

  OutboxPurgeScheduler purge() {
    // docs:begin purge
    OutboxPurgeScheduler purge =
        OutboxPurgeScheduler.builder()
            .connectionProvider(connections)
            .purger(new H2EventPurger())
            .retention(Duration.ofDays(30))
            .build();
    purge.start();
    // docs:end purge
    return purge;
  }

  OutboxPurgeScheduler purgeIntoAnArchive(EventPurger purger, Path folder) {
    // docs:begin archive
    OutboxPurgeScheduler purge =
        OutboxPurgeScheduler.builder()
            .connectionProvider(connections)
            .purger(purger)
            .retention(Duration.ofDays(7))
            .deadRetention(Duration.ofDays(90))
            .archiver(new JsonLinesArchiver(folder))
            .build();
    purge.start();
    // docs:end archive
    return purge;
  }

  OutboxPurgeScheduler purgeAppendOnly(EventPurger purger) {
    // docs:begin append-only
    OutboxPurgeScheduler purge =
        OutboxPurgeScheduler.builder()
            .connectionProvider(connections)
            .purger(purger)
            .appendOnlyRetention(Duration.ofDays(3))
            .build();
    purge.start();
    // docs:end append-only
    return purge;
  }
}
