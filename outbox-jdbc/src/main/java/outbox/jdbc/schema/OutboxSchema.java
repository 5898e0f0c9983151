package outbox.jdbc.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.internal.Require;
import outbox.internal.Transactions;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.TableName;
import outbox.jdbc.TableNames;
import outbox.jdbc.internal.TableOperations;
import outbox.jdbc.store.JdbcOutboxStores;

/**
 * Prints or applies the table of the outbox, its indexes, and what delivery in order needs besides.
 * What exists stays as it is, so that applying twice is harmless, and so are several nodes at once.
 *
 * <p>The scripts are the resources {@code schema/h2.sql}, {@code schema/mariadb.sql}, {@code
 * schema/mysql.sql} and {@code schema/postgresql.sql}, each followed by its {@code -ordered.sql}:
 * valid as they stand for Flyway, Liquibase or a shell, with the default table name. A schema that
 * the table is to stand in must exist already.
 *
 * <pre>{@code
 * OutboxSchema.detect(dataSource).apply(dataSource);
 * }</pre>
 */
public final class OutboxSchema {

  private static final Pattern COMMENT = Pattern.compile("--.*");

  /** Up to the next semicolon that is not in the body of a block. */
  private static final Pattern STATEMENT =
      Pattern.compile("(?:\\$\\$.*?\\$\\$|[^;])+", Pattern.DOTALL);

  private static final List<String> SHARED =
      List.of("outbox_node", "outbox_fence", "outbox_lease", "outbox_blocked", "outbox_key");

  /**
   * The table; or an index, which has the table's name and a suffix; or a table that all event
   * tables of a schema share.
   */
  private static final Pattern NAME =
      Pattern.compile(
          "\\b(?:"
              + TableNames.DEFAULT_TABLE
              + "(?:_(\\w+))?|("
              + String.join("|", SHARED)
              + "))\\b");

  /** PostgreSQL fails one of two that create the same table at once, IF NOT EXISTS or not. */
  private static final String POSTGRES_TURN =
      "SELECT pg_advisory_xact_lock(hashtextextended('outbox schema', 0))";

  /** So does H2, with an internal error; its nodes are mostly threads of one process. */
  private static final ReentrantLock H2_TURN = new ReentrantLock();

  private final String database;
  private final TableName table;
  private final String script;

  private OutboxSchema(String database, TableName table, String script) {
    this.database = database;
    this.table = Objects.requireNonNull(table, "table must not be null");
    this.script = script;
  }

  /** For {@code h2}, {@code mariadb}, {@code mysql} or {@code postgresql}, in any case. */
  public static OutboxSchema of(String database) {
    String name = database.toLowerCase(Locale.ROOT);
    Require.check(
        name.matches("h2|mariadb|mysql|postgresql"),
        "database",
        "one of h2, mariadb, mysql, postgresql",
        name);
    String script = read(name) + "\n" + read(name + "-ordered");
    return new OutboxSchema(name, TableName.DEFAULT, script);
  }

  /** For the database behind the connections, found as {@link JdbcOutboxStores} does. */
  public static OutboxSchema detect(DataSource dataSource) {
    return of(JdbcOutboxStores.detect(dataSource).name());
  }

  /**
   * The same without what only delivery in order needs: on PostgreSQL and H2 that is an index,
   * which every INSERT pays for.
   */
  public OutboxSchema unordered() {
    return new OutboxSchema(database, table, read(database));
  }

  /**
   * The same for a table of another name or schema; the names of indexes follow.
   *
   * @throws IllegalArgumentException if the name is that of a table which delivery in order needs
   */
  public OutboxSchema withTable(TableName table) {
    Require.check(
        !SHARED.contains(table.name().toLowerCase(Locale.ROOT)),
        "table name",
        "none of " + SHARED + ", which delivery in order needs",
        table.name());
    return new OutboxSchema(database, table, script);
  }

  /** The whole script, with its comments. */
  public String ddl() {
    return NAME.matcher(script).replaceAll(match -> name(match.group(1), match.group(2)));
  }

  /** The script's statements one by one, without comments. */
  public List<String> statements() {
    String sql = COMMENT.matcher(ddl()).replaceAll("");
    return STATEMENT
        .matcher(sql)
        .results()
        .map(statement -> withoutBlankLines(statement.group()))
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  /** Applies and commits, whatever the auto-commit default of the connections is. */
  public void apply(DataSource dataSource) {
    try {
      Transactions.onConnection(
          dataSource::getConnection,
          connection -> {
            apply(connection);
            return table;
          });
    } catch (SQLException e) {
      throw OutboxStoreException.redacted("could not apply the schema of " + table, e);
    }
  }

  /** Applies on this connection; where DDL is transactional, as part of its transaction. */
  public void apply(Connection connection) {
    new TableOperations(table, database)
        .run(
            "apply the schema",
            () ->
                Transactions.inTransaction(
                    connection,
                    tx -> {
                      inTurn(tx);
                      return table;
                    }));
  }

  private void inTurn(Connection connection) throws SQLException {
    if (database.equals("h2")) {
      H2_TURN.lock();
      try {
        execute(connection, statements());
      } finally {
        H2_TURN.unlock();
      }
    } else {
      if (database.equals("postgresql")) {
        execute(connection, List.of(POSTGRES_TURN));
      }
      execute(connection, statements());
    }
  }

  private static void execute(Connection connection, List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private String name(@Nullable String suffix, @Nullable String shared) {
    if (shared != null) {
      return new TableName(table.schema(), shared).toString();
    }
    return suffix == null ? table.toString() : indexName(suffix);
  }

  /** Cut names keep a hash of the whole, so that those of two tables can't meet. */
  private String indexName(String suffix) {
    String name = table.name() + "_" + suffix;
    if (name.length() <= TableNames.MAX_LENGTH) {
      return name;
    }
    CRC32 hash = new CRC32();
    hash.update(table.name().getBytes(StandardCharsets.US_ASCII));
    String end = "_%08x_%s".formatted(hash.getValue(), suffix);
    return name.substring(0, TableNames.MAX_LENGTH - end.length()) + end;
  }

  private static String withoutBlankLines(String statement) {
    return String.join(
        "\n", statement.lines().map(String::stripTrailing).filter(l -> !l.isEmpty()).toList());
  }

  private static String read(String name) {
    try (InputStream script =
        Objects.requireNonNull(
            OutboxSchema.class.getResourceAsStream("/schema/" + name + ".sql"))) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
