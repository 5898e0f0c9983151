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

  /** Every index has rows of all statuses and begins with them; changes go by primary key. */
  @Override
  void assertUses(String plan, String index) {
    assertThat(plan.lines().filter(line -> !line.contains("table=<derived")).toList())
        .isNotEmpty()
        .allSatisfy(InnoDbPlanContract::assertUsesAnIndex);
  }

  private static void assertUsesAnIndex(String plan) {
    assertThat(plan)
        .containsAnyOf("key=outbox_event_", "key=PRIMARY")
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
