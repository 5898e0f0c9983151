package outbox.jdbc.internal;

import java.sql.SQLException;
import java.util.Set;

/** Why the database refused, and what to do about it, told by SQLState and never by text. */
public final class Reason {

  private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S03", "42S04");
  private static final Set<String> NO_SCHEMA = Set.of("3F000", "90079");
  private static final Set<String> NO_COLUMN = Set.of("42703", "42S22");
  private static final Set<String> NOT_JSON = Set.of("22018", "22032", "22P02");
  private static final Set<String> CHECK = Set.of("23513", "23514");
  private static final Set<String> DENIED = Set.of("42501", "90040", "90096");
  private static final Set<Integer> MYSQL_DENIED = Set.of(1044, 1142, 1143, 1227);
  private static final String NOT_A_CHARACTER = "22021";
  private static final String TOO_COMPLEX = "54001";
  private static final String UNIQUE = "23505";
  private static final String NO_UNIQUE_KEY = "42P10";
  private static final String MYSQL_CONSTRAINT = "23000";
  private static final int MYSQL_DUPLICATE = 1062;
  private static final int MYSQL_NO_DATABASE = 1049;
  private static final int MYSQL_NO_KEY = 1176;
  private static final int MYSQL_CHECK = 3819;
  private static final int MYSQL_NOT_JSON = 3140;
  private static final int MARIADB_CHECK = 4025;
  private static final int MARIADB_CHANGED = 1020;

  private Reason() {}

  /** The same for what delivery in order does, which needs more than the table. */
  static String ofOrdered(SQLException failure, String database) {
    if (isMissingTable(failure)) {
      return "a table does not exist; delivery in order needs outbox_node, outbox_fence,"
          + " outbox_lease, outbox_blocked and, but for PostgreSQL, outbox_key in the same schema:"
          + " create them with "
          + ddl(database + "-ordered");
    }
    if (NO_COLUMN.contains(state(failure))) {
      return "a table lacks a column; delivery in order needs seq and, but for PostgreSQL,"
          + " partition_no: compare the table with "
          + ddl(database);
    }
    return of(failure, database);
  }

  /** The database's name picks the DDL that the advice names. */
  static String of(SQLException failure, String database) {
    if (isMissingTable(failure)) {
      return "the table does not exist; create it with " + ddl(database);
    }
    if (NO_COLUMN.contains(state(failure))) {
      return "the table lacks a column; compare it with " + ddl(database);
    }
    if (NO_UNIQUE_KEY.equals(state(failure))) {
      return "there is no unique key on event_id alone, which writeIfAbsent needs; a table with"
          + " partitions by day can't have one";
    }
    if (failure.getErrorCode() == MYSQL_NO_KEY && state(failure).startsWith("42")) {
      return "event_id is not the table's primary key, as it must be; compare it with "
          + ddl(database);
    }
    if (isDuplicate(failure)) {
      return "an event with this id is already there; event ids must be unique";
    }
    if (NOT_A_CHARACTER.equals(state(failure))) {
      return "a text contains a character that the database can't hold, such as NUL";
    }
    if (TOO_COMPLEX.equals(state(failure))) {
      return "payload or headers are nested more deeply than the database reads JSON";
    }
    if (isNotJson(failure)) {
      return "payload and headers must be JSON in columns of that type, got text that is not";
    }
    if (isCheck(failure)) {
      return "the row breaks a CHECK of the table; in JSON columns payload and headers must be"
          + " JSON";
    }
    if (failure.getErrorCode() == MARIADB_CHANGED && state(failure).equals("HY000")) {
      return "another transaction has written the row since this one began, which MariaDB ended for"
          + " that (innodb_snapshot_isolation); run it again, or at READ COMMITTED";
    }
    return "the cause has the details (SQLState " + failure.getSQLState() + ")";
  }

  /** The table, its schema or one of the columns is not there. */
  public static boolean isMissing(SQLException failure) {
    return isMissingTable(failure) || NO_COLUMN.contains(state(failure));
  }

  /** The table, or the schema that it is to stand in, is not there. */
  public static boolean isMissingTable(SQLException failure) {
    return NO_TABLE.contains(state(failure)) || isMissingSchema(failure);
  }

  /** Only who creates something is told so by every database; who reads misses the table. */
  public static boolean isMissingSchema(SQLException failure) {
    String state = state(failure);
    return NO_SCHEMA.contains(state)
        || (state.startsWith("42") && failure.getErrorCode() == MYSQL_NO_DATABASE);
  }

  /** The user of the connection lacks a right. */
  public static boolean isDenied(SQLException failure) {
    String state = state(failure);
    return DENIED.contains(state)
        || (state.startsWith("42") && MYSQL_DENIED.contains(failure.getErrorCode()));
  }

  /** A row with the same unique values is there. */
  public static boolean isDuplicate(SQLException failure) {
    String state = state(failure);
    return state.equals(UNIQUE)
        || (state.equals(MYSQL_CONSTRAINT) && failure.getErrorCode() == MYSQL_DUPLICATE);
  }

  /** MySQL's driver takes it for text that is too long. */
  private static boolean isNotJson(SQLException failure) {
    String state = state(failure);
    return NOT_JSON.contains(state)
        || (state.equals("22001") && failure.getErrorCode() == MYSQL_NOT_JSON);
  }

  /** MariaDB's JSON columns are text with a check. */
  private static boolean isCheck(SQLException failure) {
    String state = state(failure);
    return CHECK.contains(state)
        || (state.equals("HY000") && failure.getErrorCode() == MYSQL_CHECK)
        || (state.equals(MYSQL_CONSTRAINT) && failure.getErrorCode() == MARIADB_CHECK);
  }

  private static String ddl(String database) {
    String resource = "schema/" + database + ".sql";
    return Reason.class.getResource("/" + resource) == null
        ? "the columns that the documentation lists"
        : "OutboxSchema or with the resource " + resource;
  }

  private static String state(SQLException failure) {
    return String.valueOf(failure.getSQLState());
  }
}
