package outbox.jdbc.internal;

import outbox.jdbc.TableName;

/**
 * Has InnoDB change rows by primary key whatever the statistics say: a scan, which is cheaper in a
 * small table, would lock the rows of others or wait for them. Other databases take the hints for
 * comments.
 */
public final class ByPrimaryKey {

  /** What follows the table's name in an UPDATE. */
  public static final String UPDATE = "/*! FORCE INDEX (PRIMARY) */";

  private ByPrimaryKey() {}

  /**
   * How a DELETE begins. MySQL takes the first hint, from 8.0.20 on, and MariaDB, which alone reads
   * such comments as the other two, DELETE's second form with the last.
   */
  public static String deleteFrom(TableName table) {
    return "DELETE /*+ INDEX({name} PRIMARY) */ /*M! {table} */ FROM {table} /*M! FORCE INDEX (PRIMARY) */"
        .replace("{name}", table.name())
        .replace("{table}", table.toString());
  }
}
