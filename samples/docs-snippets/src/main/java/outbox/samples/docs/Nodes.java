package outbox.samples.docs;

import java.time.Duration;
import outbox.EventListener;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;

/** One of several processes on a table. */
final class Nodes {

  private Nodes() {}

  static Outbox node(JdbcDatabase database, EventListener placed) {
    // docs:begin multi-node
    Outbox outbox =
        Outbox.multiNode()
            .database(database)
            .lease(Duration.ofMinutes(1))
            .listener("OrderPlaced", placed)
            .build();
    // docs:end multi-node
    return outbox;
  }

  static Outbox rolling(JdbcDatabase database, EventListener placed) {
    // docs:begin routable-only
    Outbox outbox =
        Outbox.multiNode()
            .database(database)
            .listener("OrderPlaced", placed)
            .routableOnly()
            .build();
    // docs:end routable-only
    return outbox;
  }
}
