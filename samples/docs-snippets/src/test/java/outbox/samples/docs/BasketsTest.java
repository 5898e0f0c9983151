package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import outbox.Outbox;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.database.JdbcDatabase;

class BasketsTest {

  private final JdbcConnectionPool dataSource =
      JdbcConnectionPool.create("jdbc:h2:mem:baskets;DB_CLOSE_DELAY=-1", "sa", "");

  @Test
  void aBasketAndItsEventsAreCommittedTogether() throws SQLException {
    JdbcDatabase database = JdbcDatabase.of(dataSource).createTable();
    Baskets baskets =
        new Baskets(database, Outbox.writerOnly().database(database).build().writer());
    try (Connection connection = dataSource.getConnection()) {
      JdbcTemplate.update(connection, "CREATE TABLE basket (id INT PRIMARY KEY)");
    }

    baskets.fill(1);
    assertThatThrownBy(() -> baskets.fill(1)).isInstanceOf(OutboxStoreException.class);

    assertThat(payloads()).containsExactly("{\"basketId\":1,\"item\":\"lamp\"}");
    dataSource.dispose();
  }

  private List<String> payloads() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return JdbcTemplate.query(
          connection, "SELECT payload FROM outbox_event", row -> row.getString(1));
    }
  }
}
