package outbox.jdbc;

import java.util.List;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MariaDbEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbPlanTest extends InnoDbPlanContract {

  @Override
  Database server() {
    return Databases.mariaDb();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MariaDbEventPurger();
  }

  @Override
  List<String> fill() {
    return List.of(
        """
        INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at,
          done_at)
        SELECT CONCAT('done-', n), 'T', '{}', 1, at, at, at
        FROM (SELECT seq AS n, UTC_TIMESTAMP(6) - INTERVAL seq SECOND AS at FROM seq_1_to_1000000) numbers
        """,
        "ANALYZE TABLE outbox_event");
  }

  @Override
  List<String> insertLater() {
    return List.of(
        """
        INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at)
        SELECT CONCAT('later-', seq), 'T', '{}', 0, UTC_TIMESTAMP(6) + INTERVAL 7 DAY, UTC_TIMESTAMP(6)
        FROM seq_1_to_100000
        """,
        "ANALYZE TABLE outbox_event");
  }
}
