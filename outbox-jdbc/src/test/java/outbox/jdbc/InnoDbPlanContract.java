package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What the plans of MySQL and MariaDB have in common. */
abstract class InnoDbPlanContract extends PlanContract {

  @Override
  long entriesRead(Statement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SHOW SESSION STATUS LIKE 'Handler\\_read\\_%'")) {
      long read = 0;
      while (rows.next()) {
        read += rows.getLong(2);
      }
      statement.execute("FLUSH STATUS");
      return read;
    }
  }

  /** Dead letters share the index of what has ended; changes go by primary key. */
  @Override
  void assertUses(String plan, String index) {
    assertUsesKey(plan, "key=outbox_event_" + (index.equals("dead") ? "ended" : index));
  }

  /** Every index begins with the status. */
  @Override
  void assertFindsDead(String plan) {
    assertUsesKey(plan, "key=outbox_event_");
  }

  private static void assertUsesKey(String plan, String key) {
    assertThat(plan.lines().filter(line -> !line.contains("table=<derived")).toList())
        .isNotEmpty()
        .allSatisfy(line -> assertReadsBy(line, key));
  }

  private static void assertReadsBy(String plan, String key) {
    assertThat(plan)
        .containsAnyOf(key, "key=PRIMARY")
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

  @Override
  void assertReadsAlongNumbers(String plan) {
    assertThat(plan).contains("key=seq ").doesNotContain("type=ALL");
    assertDoesNotSort(plan);
  }
}
