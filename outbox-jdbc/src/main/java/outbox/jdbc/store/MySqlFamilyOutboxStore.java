package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.internal.Require;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.ByPrimaryKey;
import outbox.jdbc.internal.ReadCommitted;
import outbox.jdbc.internal.UtcTime;
import outbox.util.JsonCodec;

/** What MySQL and MariaDB have in common: InnoDB. */
abstract class MySqlFamilyOutboxStore extends AbstractJdbcOutboxStore {

  MySqlFamilyOutboxStore() {}

  MySqlFamilyOutboxStore(String table) {
    super(table);
  }

  MySqlFamilyOutboxStore(String table, JsonCodec jsonCodec) {
    super(table, jsonCodec);
  }

  MySqlFamilyOutboxStore(TableName table, JsonCodec jsonCodec, Clock clock) {
    super(table, jsonCodec, clock);
  }

  /** One status at a time, because InnoDB has no partial index. */
  @Override
  protected List<String> pendingConditions() {
    return List.of("status = 0", "status = 2");
  }

  /**
   * The collations of most tables don't count spaces at the end: such a text would be found, locked
   * and filtered as the one without them.
   */
  @Override
  protected void requireStorable(EventEnvelope event, String payload) {
    requireNoSpaceAtTheEnd("eventId", event.eventId());
    requireNoSpaceAtTheEnd("eventType", event.eventType());
    requireNoSpaceAtTheEnd("aggregateType", event.aggregateType());
    requireNoSpaceAtTheEnd("aggregateId", event.aggregateId());
    requireNoSpaceAtTheEnd("tenantId", event.tenantId());
  }

  private static void requireNoSpaceAtTheEnd(String name, @Nullable String value) {
    Require.check(
        value == null || !value.endsWith(" "),
        name,
        "without a space at its end on MySQL and MariaDB",
        '"' + value + '"');
  }

  /** As text, which drivers send anyway and take longer to make. */
  @Override
  protected Object timeParameter(Instant time) {
    return UtcTime.text(time);
  }

  @Override
  protected String timeQuery() {
    return "SELECT UTC_TIMESTAMP(6) AS now";
  }

  @Override
  protected void beforeLocking(Connection connection) throws SQLException {
    ReadCommitted.forNextTransaction(connection);
  }

  /**
   * A plain query would show the transaction's first view; a lock on the row, which the refused
   * INSERT holds already, shows the row as it is. Other databases take it for a comment.
   */
  @Override
  String latest() {
    return "/*! LOCK IN SHARE MODE */";
  }

  @Override
  String byPrimaryKey() {
    return ByPrimaryKey.UPDATE;
  }

  @Override
  String deleteFrom() {
    return ByPrimaryKey.deleteFrom(table());
  }

  @Override
  OrderedDialect orderedDialect() {
    return OrderedDialect.INNODB;
  }
}
