package outbox.jdbc;

import java.util.Objects;
import java.util.regex.Pattern;
import outbox.internal.Require;

/**
 * Decides which names may become part of an SQL statement: letters, digits and underscores, not
 * starting with a digit, at most 63 characters. The one guard against SQL injection by name.
 *
 * <p>Names that pass stand unquoted in statements, so that each database folds their case as it
 * does in the application's own SQL. Reserved words are not told apart: the database refuses them.
 */
public final class TableNames {

  public static final String DEFAULT_TABLE = "outbox_event";

  /** PostgreSQL's limit, the lowest of all. */
  public static final int MAX_LENGTH = 63;

  private static final Pattern PLAIN_IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private TableNames() {}

  /**
   * Returns the name as it is. A name with a schema is a {@link TableName}.
   *
   * @throws IllegalArgumentException if it is not a plain identifier
   */
  public static String validate(String tableName) {
    return identifier("table name", tableName);
  }

  static String identifier(String what, String name) {
    Objects.requireNonNull(name, () -> what + " must not be null");
    Require.check(
        name.length() <= MAX_LENGTH,
        what,
        "at most " + MAX_LENGTH + " characters",
        name.length() + " characters");
    Require.check(
        PLAIN_IDENTIFIER.matcher(name).matches(),
        what,
        "a plain identifier (letters, digits, underscores, no digit first)",
        '"' + name + '"');
    return name;
  }
}
