package outbox.spring.boot;

import java.time.Instant;
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

  static ShownKey of(String table, BlockedKey blocked) {
    return new ShownKey(
        table,
        blocked.relay(),
        String.valueOf(blocked.key()),
        blocked.depth(),
        blocked.since(),
        blocked.waitsForOperator(),
        ShownEvent.of(table, blocked.head()));
  }
}
