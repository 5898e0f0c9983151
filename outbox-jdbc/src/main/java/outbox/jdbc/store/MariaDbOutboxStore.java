package outbox.jdbc.store;

import java.time.Clock;
import java.util.List;
import outbox.jdbc.TableName;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.MariaDbEventPurger;
import outbox.util.JsonCodec;

/**
 * Keeps events in MariaDB 10.6 or later.
 *
 * <p>A claim or release runs in READ COMMITTED, so that it locks no gaps, when it is the first of
 * its transaction; inside one that has begun it runs as that one was set up.
 */
public class MariaDbOutboxStore extends MySqlFamilyOutboxStore {

  public MariaDbOutboxStore() {}

  public MariaDbOutboxStore(String table) {
    super(table);
  }

  public MariaDbOutboxStore(String table, JsonCodec jsonCodec) {
    super(table, jsonCodec);
  }

  private MariaDbOutboxStore(TableName table, JsonCodec jsonCodec, Clock clock) {
    super(table, jsonCodec, clock);
  }

  @Override
  public String name() {
    return "mariadb";
  }

  @Override
  public List<String> jdbcUrlPrefixes() {
    return List.of("jdbc:mariadb:");
  }

  @Override
  public AbstractJdbcEventPurger purger() {
    return new MariaDbEventPurger().withTable(table());
  }

  @Override
  public MariaDbOutboxStore withJsonCodec(JsonCodec jsonCodec) {
    return copy(table(), jsonCodec, clock());
  }

  @Override
  protected MariaDbOutboxStore copy(TableName table, JsonCodec jsonCodec, Clock clock) {
    return new MariaDbOutboxStore(table, jsonCodec, clock);
  }

  /** As MariaDB's driver does, older ones unasked. */
  @Override
  boolean sendsBatchesInBulk() {
    return true;
  }
}
