package outbox.jdbc.store;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableName;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.H2EventPurger;
import outbox.util.JsonCodec;

/** Keeps events in H2, 2.2.220 or later, in any compatibility mode that has its SQL. */
public class H2OutboxStore extends AbstractJdbcOutboxStore {

  public H2OutboxStore() {}

  public H2OutboxStore(String table) {
    super(table);
  }

  public H2OutboxStore(String table, JsonCodec jsonCodec) {
    super(table, jsonCodec);
  }

  private H2OutboxStore(TableName table, JsonCodec jsonCodec, Clock clock) {
    super(table, jsonCodec, clock);
  }

  @Override
  public String name() {
    return "h2";
  }

  @Override
  public List<String> jdbcUrlPrefixes() {
    return List.of("jdbc:h2:");
  }

  @Override
  public AbstractJdbcEventPurger purger() {
    return new H2EventPurger().withTable(table());
  }

  @Override
  public H2OutboxStore withJsonCodec(JsonCodec jsonCodec) {
    return copy(table(), jsonCodec, clock());
  }

  @Override
  protected H2OutboxStore copy(TableName table, JsonCodec jsonCodec, Clock clock) {
    return new H2OutboxStore(table, jsonCodec, clock);
  }

  /** As bytes, because H2 would make a string of JSON out of text for a JSON column. */
  @Override
  protected @Nullable Object jsonParameter(@Nullable String json) {
    return json == null ? null : json.getBytes(StandardCharsets.UTF_8);
  }

  /** It knows how many characters a CLOB has; for their bytes it would read it. */
  @Override
  protected String lengthOf(String column) {
    return "CHAR_LENGTH(" + column + ")";
  }

  /** One status at a time, because H2 has no partial index. */
  @Override
  protected List<String> pendingConditions() {
    return List.of("status = 0", "status = 2");
  }

  /** H2 takes the rows as an index has them only for an order that names all its columns. */
  @Override
  String pendingOrder() {
    return "status, available_at, event_id";
  }

  @Override
  boolean locksBeforeItLimits() {
    return true;
  }

  @Override
  OrderedDialect orderedDialect() {
    return OrderedDialect.H2;
  }
}
