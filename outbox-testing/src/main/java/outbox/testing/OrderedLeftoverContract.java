package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.spi.OrderedStore.Block;
import outbox.spi.Outcome;
import outbox.spi.Settlement;

/** What is left of blocks when their events are not dead any more. */
abstract class OrderedLeftoverContract extends OrderedBlockContract {

  @Test
  void eventThatDiesAgainBlocksSinceThen() {
    EventEnvelope dead = blocking("1");
    Instant first = seen().since();
    session.replay(dead);
    await().until(() -> session.store().clock().instant().isAfter(first.plusMillis(1)));

    session.markDead(dead, "again");
    block(relay, dead);

    assertThat(seen().since()).isAfter(first);
  }

  @Test
  void whatIsLeftOfBlocksIsDeletedStepByStep() {
    EventEnvelope dead = blocking("dead");
    EventEnvelope replayed = blocking("replayed");
    EventEnvelope gone = blocking("gone");
    session.replay(replayed);
    session.replay(gone);
    session.call(
        connection ->
            session
                .store()
                .settle(
                    connection,
                    List.of(new Settlement(gone.eventId(), null, new Outcome.Delivered(true)))));

    assertThat(stepsOverLeftovers()).isEqualTo(4);

    assertThat(unblock(replayed)).isFalse();
    assertThat(unblock(gone)).isFalse();
    assertThat(blocks()).extracting(Block::eventId).containsExactly(dead.eventId());
    assertThat(unblock(dead)).isTrue();
  }

  /** One row each, and one that finds no more. */
  private int stepsOverLeftovers() {
    int steps = 0;
    Optional<String> after = Optional.of("");
    while (after.isPresent() && steps < 100) {
      String last = after.get();
      after = session.call(connection -> ordered().clearLeftovers(connection, relay, last, 1));
      steps++;
    }
    return steps;
  }
}
