package outbox.jdbc.store;

import java.time.Clock;
import java.util.List;
import outbox.jdbc.TableName;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MySqlEventPurger;
import outbox.util.JsonCodec;

/**
 * Keeps events in MySQL 8.0.1 or later, and in what speaks its protocol and knows {@code FOR UPDATE
 * SKIP LOCKED}.
 *
 * <p>A claim or release runs in READ COMMITTED, so that it locks no gaps, when it is the first of
 * its transaction; inside one that has begun it runs as that one was set up. TiDB is recognised by
 * its URL but has not been tested, and its older versions lack SKIP LOCKED, which claiming needs.
 */
public class MySqlOutboxStore extends MySqlFamilyOutboxStore {

  public MySqlOutboxStore() {}

  public MySqlOutboxStore(String table) {
    super(table);
  }

  public MySqlOutboxStore(String table, JsonCodec jsonCodec) {
    super(table, jsonCodec);
  }

  private MySqlOutboxStore(TableName table, JsonCodec jsonCodec, Clock clock) {
    super(table, jsonCodec, clock);
  }

  @Override
  public String name() {
    return "mysql";
  }

  @Override
  public List<String> jdbcUrlPrefixes() {
    return List.of("jdbc:mysql:", "jdbc:tidb:");
  }

  @Override
  public AbstractJdbcEventPurger purger() {
    return new MySqlEventPurger().withTable(table());
  }

  @Override
  public MySqlOutboxStore withJsonCodec(JsonCodec jsonCodec) {
    return copy(table(), jsonCodec, clock());
  }

  @Override
  protected MySqlOutboxStore copy(TableName table, JsonCodec jsonCodec, Clock clock) {
    return new MySqlOutboxStore(table, jsonCodec, clock);
  }
}
