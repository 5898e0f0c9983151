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
import outbox.jdbc.internal.Reason;
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

  private final DataSource dataSource;
  private final Settings settings;
  private final TableRefusals refusals;
  private @Nullable AbstractJdbcOutboxStore store;

  Tables(DataSource dataSource, Settings settings) {
    this.dataSource = dataSource;
    this.settings = settings;
    refusals = new TableRefusals(settings);
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
   * @throws RefusedException if a table that is needed is missing, or may not be used
   */
  void check() {
    settings.tables().forEach(table -> check(store().withTable(table), table));
  }

  private void check(AbstractJdbcOutboxStore on, TableName table) {
    ask(
        table,
        connection -> {
          requireTable(connection, on, table);
          if (needsMore(table)) {
            requireOrdered(connection, on, table);
          }
          return true;
        });
  }

  /** Leases of partitions are for those who deliver. */
  private boolean needsMore(TableName table) {
    return settings.kind().needsOrderedTables() && settings.delivers(table);
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

  private void initialize(AbstractJdbcOutboxStore found) {
    Initialize when = settings.properties().schema().orDefault();
    if (when == Initialize.ALWAYS || (when == Initialize.EMBEDDED && isEmbedded())) {
      settings.tables().forEach(table -> create(found.withTable(table), table));
    }
  }

  /**
   * Whoever may not create anything is not kept from a table that is there. Such a table gets no
   * index either: as long as one is built, nobody can write.
   */
  private void create(AbstractJdbcOutboxStore on, TableName table) {
    OutboxSchema schema = schema(on.name()).withTable(table);
    boolean exists = ask(table, connection -> exists(connection, on, table));
    if (exists && (isComplete(on, table) || (hasIndex(schema) && !isEmbedded()))) {
      return;
    }
    try {
      schema.apply(dataSource);
    } catch (OutboxStoreException e) {
      throw refusals.uncreated(on.name(), table, e);
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

  private static boolean hasIndex(OutboxSchema schema) {
    return schema.statements().stream().anyMatch(sql -> sql.startsWith("CREATE INDEX"));
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

  private interface Question {
    boolean answer(Connection connection) throws SQLException;
  }

  private boolean ask(TableName table, Question question) {
    try (Connection connection = dataSource.getConnection()) {
      return question.answer(connection);
    } catch (SQLException e) {
      throw new OutboxException("could not look for the table " + table, e);
    }
  }

  private boolean exists(Connection connection, AbstractJdbcOutboxStore on, TableName table)
      throws SQLException {
    try {
      read(connection, on, table);
      return true;
    } catch (SQLException e) {
      if (Reason.isMissingTable(e)) {
        return false;
      }
      throw e;
    }
  }

  private void requireTable(Connection connection, AbstractJdbcOutboxStore on, TableName table)
      throws SQLException {
    try {
      read(connection, on, table);
    } catch (SQLException e) {
      if (Reason.isMissingTable(e)) {
        throw refusals.missing(on.name(), table, e);
      }
      throw e;
    }
  }

  private void read(Connection connection, AbstractJdbcOutboxStore on, TableName table)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT event_id FROM " + table + " WHERE 1 = 0").close();
    } catch (SQLException e) {
      if (Reason.isDenied(e)) {
        throw refusals.denied(on.name(), table, e);
      }
      if (Reason.isMissing(e) && !Reason.isMissingTable(e)) {
        throw refusals.different(on.name(), table, e);
      }
      throw e;
    }
  }

  private void requireOrdered(Connection connection, AbstractJdbcOutboxStore on, TableName table) {
    try {
      on.ordered().check(connection);
    } catch (OutboxStoreException e) {
      if (e.getCause() instanceof SQLException cause && Reason.isDenied(cause)) {
        throw refusals.denied(on.name(), table, e);
      }
      throw refusals.incomplete(on.name(), table, e);
    }
  }
}
