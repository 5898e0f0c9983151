package outbox.jdbc;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A table, in a named schema or in the connection's current one; both names are checked by {@link
 * TableNames#validate}'s rule. What MySQL and MariaDB call a database is a schema here.
 */
public record TableName(@Nullable String schema, String name) {

  /** {@value TableNames#DEFAULT_TABLE} in the current schema. */
  public static final TableName DEFAULT = of(TableNames.DEFAULT_TABLE);

  public TableName {
    if (schema != null) {
      TableNames.identifier("schema name", schema);
    }
    TableNames.validate(name);
  }

  /** A table of the current schema. */
  public static TableName of(String name) {
    return new TableName(null, name);
  }

  public static TableName of(String schema, String name) {
    return new TableName(Objects.requireNonNull(schema, "schema name must not be null"), name);
  }

  /** Reads {@code outbox_event} or {@code billing.outbox_event}. */
  public static TableName parse(String text) {
    int dot = text.indexOf('.');
    return dot < 0 ? of(text) : of(text.substring(0, dot), text.substring(dot + 1));
  }

  /** The name as it stands in a statement. */
  @Override
  public String toString() {
    return schema == null ? name : schema + "." + name;
  }
}
