package outbox.testing.databases;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class PostgresDatabaseTest extends DatabaseContract {
  @Override
  Database database() {
    return Databases.postgres();
  }

  @Override
  String version() {
    return "PostgreSQL 18.";
  }

  @Test
  void exampleOfTheReadmeWorks() throws SQLException {
    // docs:begin fresh
    try (Database database = Databases.postgres().fresh()) { // private and empty
      DataSource dataSource = database.dataSource(Connections.POOLED_AUTO_COMMIT_OFF);
      assertThat(isAutoCommit(dataSource)).isFalse();
    }
    // docs:end fresh
  }

  private static boolean isAutoCommit(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return connection.getAutoCommit();
    }
  }
}
