package outbox.faults.world;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import outbox.testing.databases.Database;

/** What somebody with all rights does to a database, each time on a connection of its own. */
public final class Operator {

  private final Database database;
  private final boolean isPostgres;

  public Operator(Database database) {
    this.database = database;
    isPostgres = database.url().startsWith("jdbc:postgresql:");
  }

  public boolean isPostgres() {
    return isPostgres;
  }

  /** Ends every other connection to this database; returns how many there were. */
  public int terminateAll() {
    if (isPostgres) {
      return Collections.frequency(
          query(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                  + " WHERE datname = current_database() AND pid <> pg_backend_pid()"),
          "t");
    }
    int ended = 0;
    for (String id :
        query(
            "SELECT id FROM information_schema.processlist"
                + " WHERE db = DATABASE() AND id <> CONNECTION_ID()")) {
      try {
        execute("KILL CONNECTION " + id);
        ended++;
      } catch (IllegalStateException e) {
        // It has ended by itself.
      }
    }
    return ended;
  }

  /** Nobody without special rights can write, or can again. */
  public void readOnly(boolean isReadOnly) {
    if (isPostgres) {
      execute(
          "SET default_transaction_read_only = off",
          "ALTER DATABASE %s SET default_transaction_read_only = %s"
              .formatted(query("SELECT current_database()").get(0), isReadOnly));
      terminateAll();
    } else {
      execute("SET GLOBAL read_only = " + isReadOnly);
    }
  }

  /** The URL of a user who has no special rights, which is created. */
  public String ordinaryUser() {
    if (isPostgres) {
      return database.url();
    }
    execute("CREATE OR REPLACE USER ordinary@'%'");
    execute("GRANT ALL ON `%s`.* TO ordinary@'%%'".formatted(query("SELECT DATABASE()").get(0)));
    return database.url().replace("user=root", "user=ordinary");
  }

  /** The URL with a setting that each session begins with. */
  public static String withSetting(String url, String postgres, String mariaDb) {
    return url.startsWith("jdbc:postgresql:")
        ? url + "&options=-c%20" + postgres
        : url + "&sessionVariables=" + mariaDb;
  }

  /** How many the server has counted so far. */
  public int deadlocks() {
    return Integer.parseInt(
        query(
                isPostgres
                    ? "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
                    : "SELECT variable_value FROM information_schema.global_status"
                        + " WHERE variable_name = 'INNODB_DEADLOCKS'")
            .get(0));
  }

  /** How many sessions the server has counted so far, of this database or of all. */
  public int sessions() {
    return Integer.parseInt(
        query(
                isPostgres
                    ? "SELECT sessions FROM pg_stat_database WHERE datname = current_database()"
                    : "SELECT variable_value FROM information_schema.global_status"
                        + " WHERE variable_name = 'CONNECTIONS'")
            .get(0));
  }

  /** How far a moment of the database's clock is ahead; negative if it is past or there is none. */
  public Duration ahead(String moment, String from) {
    String micros =
        isPostgres
            ? "(EXTRACT(EPOCH FROM MAX(%s) - clock_timestamp()) * 1000000)::BIGINT"
            : "TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), MAX(%s))";
    String answer =
        query("SELECT COALESCE(%s, -1) FROM %s".formatted(micros.formatted(moment), from)).get(0);
    return Duration.ofNanos(Long.parseLong(answer) * 1000);
  }

  public void execute(String... statements) {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(String.join("; ", statements), e);
    }
  }

  private List<String> query(String sql) {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
