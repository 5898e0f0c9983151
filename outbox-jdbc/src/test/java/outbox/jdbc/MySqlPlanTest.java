package outbox.jdbc;

import java.util.List;
import org.junit.jupiter.api.Tag;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MySqlEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlPlanTest extends InnoDbPlanContract {

  @Override
  Database server() {
    return Databases.mysql();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new MySqlEventPurger();
  }

  @Override
  List<String> fill() {
    return List.of(
        "SET SESSION cte_max_recursion_depth = 1000000",
        """
        INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at,
          done_at)
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000000)
        SELECT CONCAT('done-', n), 'T', '{}', 1, at, at, at
        FROM (SELECT n, UTC_TIMESTAMP(6) - INTERVAL n SECOND AS at FROM numbers) rows_of_numbers
        """,
        "ANALYZE TABLE outbox_event");
  }

  @Override
  List<String> insertLater() {
    return List.of(
        "SET SESSION cte_max_recursion_depth = 1000000",
        """
        INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at)
        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)
        SELECT CONCAT('later-', n), 'T', '{}', 0, UTC_TIMESTAMP(6) + INTERVAL 7 DAY, UTC_TIMESTAMP(6)
        FROM numbers
        """,
        "ANALYZE TABLE outbox_event");
  }
}
