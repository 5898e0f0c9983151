package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MySqlEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

@Tag("mysql")
class MySqlPlanTest extends PlanContract {

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

  /** One index serves claims and dead letters, a status at a time; changes go by primary key. */
  @Override
  void assertUses(String plan, String index) {
    assertThat(plan.lines().filter(line -> !line.contains("table=<derived")).toList())
        .isNotEmpty()
        .allSatisfy(MySqlPlanTest::assertUsesAnIndex);
  }

  private static void assertUsesAnIndex(String plan) {
    assertThat(plan)
        .containsAnyOf("key=outbox_event_status", "key=outbox_event_ended", "key=PRIMARY")
        .doesNotContain("type=ALL")
        .doesNotContain("type=index ");
  }

  @Override
  void assertDoesNotSort(String plan) {
    assertThat(plan).doesNotContain("filesort");
  }

  @Override
  void assertChangesByPrimaryKey(String plan) {
    assertThat(plan).contains("key=PRIMARY").doesNotContain("type=ALL");
  }
}
