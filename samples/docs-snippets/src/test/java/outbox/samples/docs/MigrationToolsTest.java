package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import liquibase.Liquibase;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.H2OutboxStore;
import outbox.jdbc.store.PostgresOutboxStore;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** The schema scripts are fit for migration tools as they are. */
class MigrationToolsTest {

  @TempDir private Path migrations;

  @Test
  void flywayTakesTheScriptsOfH2AsMigrations() throws Exception {
    try (Database database = Databases.h2().fresh()) {
      migrate(database, "h2");

      assertThatTablesAreThere(database, new H2OutboxStore());
    }
  }

  @Test
  void flywayTakesTheScriptsOfPostgreSqlAsMigrations() throws Exception {
    try (Database database = Databases.postgres().fresh()) {
      migrate(database, "postgresql");

      assertThatTablesAreThere(database, new PostgresOutboxStore());
    }
  }

  @Test
  void liquibaseTakesTheScriptsOfH2AsFiles() throws Exception {
    try (Database database = Databases.h2().fresh()) {
      update(database, "outbox-changelog.xml");

      assertThatTablesAreThere(database, new H2OutboxStore());
    }
  }

  @Test
  void liquibaseTakesTheScriptsOfPostgreSqlAsFiles() throws Exception {
    try (Database database = Databases.postgres().fresh()) {
      update(database, "outbox-changelog-postgresql.xml");

      assertThatTablesAreThere(database, new PostgresOutboxStore());
    }
  }

  private void migrate(Database database, String name) throws Exception {
    copy("/schema/%s.sql".formatted(name), "V12__outbox.sql");
    copy("/schema/%s-ordered.sql".formatted(name), "V13__outbox_ordered.sql");
    Flyway.configure()
        .dataSource(database.dataSource())
        .locations("filesystem:" + migrations)
        .load()
        .migrate();
  }

  private void copy(String script, String migration) throws Exception {
    try (InputStream text = H2OutboxStore.class.getResourceAsStream(script)) {
      Files.copy(text, migrations.resolve(migration));
    }
  }

  private static void update(Database database, String changelog) throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      new Liquibase(changelog, new ClassLoaderResourceAccessor(), new JdbcConnection(connection))
          .update();
    }
  }

  private static void assertThatTablesAreThere(Database database, AbstractJdbcOutboxStore store)
      throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      store.insertNew(connection, EventEnvelope.ofJson("OrderPlaced", "{}"));
      Instant later = Instant.parse("2999-01-01T00:00:00Z");
      assertThat(store.pollPending(connection, later, Duration.ZERO, 10)).hasSize(1);
      store.ordered().check(connection);
    }
  }
}
