package outbox.spring.boot;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.TableName;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.spi.OutboxStore;
import outbox.spring.boot.OutboxProperties.Initialize;

/**
 * The outbox tables of a DataSource: creates them where it is told to, and sees that they exist.
 */
final class Tables {

  private static final String EMBEDDED = "jdbc:h2:mem:";

  /** H2 says so of a schema that is not there; everything else of that kind begins with 42. */
  private static final String NO_SCHEMA = "90079";

  private final DataSource dataSource;
  private final Settings settings;
  private @Nullable AbstractJdbcOutboxStore store;

  Tables(DataSource dataSource, Settings settings) {
    this.dataSource = dataSource;
    this.settings = settings;
  }

  /** The store of the table that events are written to; the table may have to be created first. */
  synchronized AbstractJdbcOutboxStore store() {
    if (store == null) {
      AbstractJdbcOutboxStore found = detect();
      initialize(found);
      store = found.withTable(settings.table());
    }
    return store;
  }

  synchronized boolean isStore(OutboxStore other) {
    return other == store;
  }

  AbstractJdbcOutboxStore store(TableName table) {
    return table.equals(settings.table()) ? store() : store().withTable(table);
  }

  /**
   * @throws RefusedException if a table that is needed is missing
   */
  void check() {
    settings.tables().forEach(table -> check(store().withTable(table), table));
  }

  private void check(AbstractJdbcOutboxStore on, TableName table) {
    try (Connection connection = dataSource.getConnection()) {
      checkTable(connection, on, table);
      if (settings.kind().needsOrderedTables() && settings.delivers(table)) {
        checkOrdered(connection, on);
      }
    } catch (SQLException e) {
      throw new OutboxException("could not look for the table " + table, e);
    }
  }

  private AbstractJdbcOutboxStore detect() {
    try {
      return JdbcOutboxStores.detect(dataSource);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          "There is no outbox for this database: " + e.getMessage() + ".",
          "Set %s to the DataSource of a database that is known, or define an OutboxStore bean."
              .formatted(settings.property("data-source")),
          e);
    }
  }

  /** Whoever may not create anything is not kept from a table that is there. */
  private void initialize(AbstractJdbcOutboxStore found) {
    Initialize when = settings.properties().schema().orDefault();
    if (when == Initialize.ALWAYS || (when == Initialize.EMBEDDED && isEmbedded())) {
      for (TableName table : settings.tables()) {
        if (!isComplete(found.withTable(table), table)) {
          schema(found.name()).withTable(table).apply(dataSource);
        }
      }
    }
  }

  private boolean isComplete(AbstractJdbcOutboxStore on, TableName table) {
    try {
      check(on, table);
      return true;
    } catch (RefusedException e) {
      return false;
    }
  }

  /** What order needs costs every INSERT on some databases, and is left out where nothing does. */
  private OutboxSchema schema(String database) {
    OutboxSchema schema = OutboxSchema.of(database);
    return settings.kind().needsOrderedTables() ? schema : schema.unordered();
  }

  private boolean isEmbedded() {
    try (Connection connection = dataSource.getConnection()) {
      String url = connection.getMetaData().getURL();
      return url != null && url.toLowerCase(Locale.ROOT).startsWith(EMBEDDED);
    } catch (SQLException e) {
      throw new OutboxException("could not ask the database for its URL", e);
    }
  }

  private void checkTable(Connection connection, AbstractJdbcOutboxStore on, TableName table)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT event_id FROM " + table + " WHERE 1 = 0").close();
    } catch (SQLException e) {
      String state = e.getSQLState() == null ? "" : e.getSQLState();
      if (state.startsWith("42") || state.equals(NO_SCHEMA)) {
        throw missing(on, "The outbox table %s does not exist.".formatted(table), e);
      }
      throw e;
    }
  }

  private void checkOrdered(Connection connection, AbstractJdbcOutboxStore on) {
    try {
      on.ordered().check(connection);
    } catch (OutboxStoreException e) {
      throw missing(
          on,
          "With %s the outbox needs more than its table: %s."
              .formatted(settings.kind(), e.getMessage()),
          e);
    }
  }

  private RefusedException missing(AbstractJdbcOutboxStore on, String problem, Exception cause) {
    String script = "schema/" + on.name();
    String scripts =
        settings.kind().needsOrderedTables()
            ? "%s.sql and %s-ordered.sql".formatted(script, script)
            : script + ".sql";
    return new RefusedException(
        problem,
        "Give %s, from the jar of outbox-jdbc, to Flyway or Liquibase; or have the application create what is missing: outbox.schema.initialize=always."
            .formatted(scripts),
        cause);
  }
}
