package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.jdbc.store.H2OutboxStore;

/** The schema script is fit for migration tools as it is. */
class MigrationToolsTest {

  private final JdbcConnectionPool dataSource =
      JdbcConnectionPool.create("jdbc:h2:mem:migrations", "sa", "");

  @AfterEach
  void closeDatabase() {
    dataSource.dispose();
  }

  @Test
  void flywayTakesTheScriptAsAMigration(@TempDir Path migrations) throws Exception {
    try (Connection keepsTheDatabase = dataSource.getConnection();
        InputStream script = H2OutboxStore.class.getResourceAsStream("/schema/h2.sql")) {
      Files.copy(script, migrations.resolve("V12__outbox.sql"));

      Flyway.configure()
          .dataSource(dataSource)
          .locations("filesystem:" + migrations)
          .load()
          .migrate();

      assertThatTableIsThere(keepsTheDatabase);
    }
  }

  @Test
  void liquibaseTakesTheScriptAsAFile() throws Exception {
    try (Connection connection = dataSource.getConnection();
        Connection other = dataSource.getConnection()) {
      new Liquibase(
              "outbox-changelog.xml",
              new ClassLoaderResourceAccessor(),
              new JdbcConnection(connection))
          .update();

      assertThatTableIsThere(other);
    }
  }

  private static void assertThatTableIsThere(Connection connection) throws SQLException {
    H2OutboxStore store = new H2OutboxStore();
    store.insertNew(connection, EventEnvelope.ofJson("OrderPlaced", "{}"));
    Instant later = Instant.parse("2999-01-01T00:00:00Z");
    assertThat(store.pollPending(connection, later, Duration.ZERO, 10)).hasSize(1);
  }
}
