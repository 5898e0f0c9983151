package outbox.jdbc.purge;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.OneOf;
import outbox.jdbc.internal.UntypedParameter;
import outbox.jdbc.internal.UtcTime;

/** Purges a table in PostgreSQL; several purgers at once share the work. */
public class PostgresEventPurger extends AbstractJdbcEventPurger {

  public PostgresEventPurger() {}

  public PostgresEventPurger(String table) {
    super(table);
  }

  private PostgresEventPurger(TableName table) {
    super(table);
  }

  @Override
  public PostgresEventPurger withTable(TableName table) {
    return new PostgresEventPurger(table);
  }

  @Override
  protected String name() {
    return "postgresql";
  }

  @Override
  protected Object timeParameter(Instant time) {
    return UntypedParameter.of(time);
  }

  @Override
  protected @Nullable Instant readTime(ResultSet row, String column) throws SQLException {
    return UtcTime.timestamp(row, column);
  }

  @Override
  OneOf oneOf() {
    return OneOf.ARRAY;
  }

  /** A plain IN (SELECT … FOR UPDATE) may be planned so that it locks more rows than it deletes. */
  @Override
  protected int delete(Connection connection, String conditions, Object... parameters) {
    String sql =
        """
        WITH ended AS (SELECT event_id FROM {table} WHERE {conditions} FOR UPDATE SKIP LOCKED)
        DELETE FROM {table}
        WHERE event_id IN (SELECT event_id FROM ended)
        """;
    return JdbcTemplate.update(connection, sql(sql, conditions), parameters);
  }
}
