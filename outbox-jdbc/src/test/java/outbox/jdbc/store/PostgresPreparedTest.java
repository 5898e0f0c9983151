package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.schema.OutboxSchema;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class PostgresPreparedTest {

  /** The driver prepares a statement at its fifth use, and anew when a type changes. */
  @Test
  void insertIsPreparedOncePerSetOfColumns() throws Exception {
    try (Database database = Databases.postgres().fresh();
        Connection connection = database.dataSource().getConnection()) {
      OutboxSchema.of("postgresql").apply(database.dataSource());
      for (int i = 0; i < 50; i++) {
        new PostgresOutboxStore().insertNew(connection, event(i % 2 == 0));
      }

      List<Long> uses =
          JdbcTemplate.query(
              connection,
              """
              SELECT generic_plans + custom_plans AS uses FROM pg_prepared_statements
              WHERE statement LIKE 'INSERT INTO%'
              """,
              row -> row.getLong("uses"));
      assertThat(uses).as("each is prepared from its fifth time on").containsExactly(21L, 21L);
    }
  }

  private static EventEnvelope event(boolean complete) {
    EventEnvelope.Builder event = EventEnvelope.builder("T").payloadJson("{}");
    return complete ? event.aggregateId("a").tenantId("t").header("h", "v").build() : event.build();
  }
}
