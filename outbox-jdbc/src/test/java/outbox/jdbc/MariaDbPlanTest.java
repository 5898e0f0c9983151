package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MariaDbEventPurger;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class MariaDbPlanTest extends PlanContract {

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

  /** One index serves claims and dead letters, a status at a time; changes go by primary key. */
  @Override
  void assertUses(String plan, String index) {
    assertThat(plan.lines().filter(line -> !line.contains("table=<derived")).toList())
        .isNotEmpty()
        .allSatisfy(MariaDbPlanTest::assertUsesAnIndex);
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
