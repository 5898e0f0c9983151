package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.PostgresEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresPlanTest extends PlanContract {

  @Override
  Database server() {
    return Databases.postgres();
  }

  @Override
  AbstractJdbcEventPurger purger() {
    return new PostgresEventPurger();
  }

  @Override
  List<String> fill() {
    return List.of(
        """
        INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at,
          done_at)
        SELECT 'done-' || n, 'T', '{}', 1, at, at, at
        FROM generate_series(1, 1000000) n, LATERAL (SELECT now() - n * INTERVAL '1 second' AS at)
        """,
        "ANALYZE outbox_event");
  }

  @Override
  void assertUses(String plan, String index) {
    assertThat(plan).contains("outbox_event_" + index).doesNotContain("Seq Scan");
  }

  @Override
  void assertDoesNotSort(String plan) {
    assertThat(plan).doesNotContain("Sort");
  }

  @Override
  void assertChangesByPrimaryKey(String plan) {
    assertThat(plan).contains("outbox_event_pkey").doesNotContain("Seq Scan");
  }
}
