package outbox.spring.boot;

import java.time.Instant;
import outbox.jdbc.TableName;
import outbox.model.BlockedKey;

/** An aggregate whose events wait, as the endpoint shows it. */
record ShownKey(
    String table,
    String relay,
    String key,
    long depth,
    Instant since,
    boolean waitsForOperator,
    ShownEvent head) {

  static ShownKey of(TableName table, BlockedKey blocked) {
    return new ShownKey(
        table.toString(),
        blocked.relay(),
        String.valueOf(blocked.key()),
        blocked.depth(),
        blocked.since(),
        blocked.waitsForOperator(),
        ShownEvent.of(blocked.head()));
  }
}
