package outbox.spring.boot;

import java.time.Instant;
import outbox.model.BlockedKey;

/** An aggregate whose events wait, as the endpoint shows it. */
record ShownKey(
    String relay,
    String key,
    long depth,
    Instant since,
    boolean waitsForOperator,
    ShownEvent head) {

  static ShownKey of(BlockedKey blocked) {
    return new ShownKey(
        blocked.relay(),
        String.valueOf(blocked.key()),
        blocked.depth(),
        blocked.since(),
        blocked.waitsForOperator(),
        ShownEvent.of(blocked.head()));
  }
}
