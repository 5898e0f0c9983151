package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import outbox.EventListener;
import outbox.NonRetryableException;
import outbox.Outbox;
import outbox.model.BlockedKey;
import outbox.model.DiscardReason;
import outbox.model.EventStatus;
import outbox.ordered.OnDead;

/** What a failed event does to its aggregate, and what operators can do about that. */
abstract class OrderedFailureContract extends OrderedNodes {

  @Test
  void deadEventBlocksItsAggregateUntilAnOperatorSkipsIt() {
    Outbox node = start(this::diesAtTwo);
    write(node, 2, 5);

    BlockedKey blocked = awaitBlocked(node, 2);
    assertThat(blocked.depth()).isEqualTo(2);
    assertThat(history.succeeded("a0")).containsExactly(0, 1);
    node.blockedKeys().list(10).forEach(key -> assertThat(node.blockedKeys().skip(key)).isTrue());

    awaitSuccesses(8);
    assertThat(history.succeeded("a0")).containsExactly(0, 1, 3, 4);
    assertThat(node.blockedKeys().skip(blocked)).isFalse();
    assertThat(session.find(blocked.head().event().eventId()).orElseThrow().status())
        .isEqualTo(EventStatus.DEAD);
  }

  @Test
  void deadEventIsTriedAgainBeforeThoseBehindIt() {
    Set<String> refused = ConcurrentHashMap.newKeySet();
    Outbox node =
        start(
            event -> {
              if (number(event) == 2 && refused.add(event.eventId())) {
                throw new NonRetryableException("refused once");
              }
              succeeds(event);
            });
    write(node, 1, 5);

    BlockedKey blocked = awaitBlocked(node, 1);
    assertThat(node.blockedKeys().retry(blocked)).isTrue();

    awaitSuccesses(5);
    assertThat(history.succeeded("a0")).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void replayOfABlockingEventByTheDeadLettersLetsItsAggregateGoOn() {
    Set<String> refused = ConcurrentHashMap.newKeySet();
    Outbox node =
        start(
            event -> {
              if (number(event) == 0 && refused.add(event.eventId())) {
                throw new NonRetryableException("refused once");
              }
              succeeds(event);
            });
    write(node, 1, 3);

    BlockedKey blocked = awaitBlocked(node, 1);
    assertThat(node.dead().replay(blocked.head().event().eventId())).isTrue();

    awaitSuccesses(3);
    assertThat(history.succeeded("a0")).containsExactly(0, 1, 2);
  }

  @Test
  void discardedEventIsDoneAndThoseBehindItGoOn() {
    Outbox node = start(this::diesAtTwo);
    write(node, 1, 4);

    BlockedKey blocked = awaitBlocked(node, 1);
    assertThat(node.blockedKeys().discard(blocked, new DiscardReason("known"))).isTrue();

    awaitSuccesses(3);
    assertThat(session.find(blocked.head().event().eventId()).orElseThrow().isDiscarded()).isTrue();
  }

  @Test
  void failingEventCanBeBuriedBeforeItsAttemptsAreOver() {
    Outbox node =
        start(
            event -> failIf(number(event) == 0, event),
            builder -> builder.dispatcher(d -> d.retryPolicy(attempts -> 600_000)));
    write(node, 1, 3);

    await().atMost(PATIENCE).until(() -> node.blockedKeys().list(10).size() == 1);
    assertThat(node.blockedKeys().skip(node.blockedKeys().list(10).get(0))).isTrue();

    awaitSuccesses(2);
    assertThat(history.succeeded("a0")).containsExactly(1, 2);
  }

  @Test
  void blockOutlivesTheNodeThatMadeIt() {
    Outbox node = start(this::diesAtTwo);
    write(node, 1, 4);
    awaitBlocked(node, 1);
    node.close();

    Outbox next = start(this::diesAtTwo);
    write(next, 2, 4, 6);
    await().atMost(PATIENCE).until(() -> history.succeeded("a1").size() == 2);
    assertThat(history.succeeded("a0")).containsExactly(0, 1);

    assertThat(next.blockedKeys().release(awaitBlocked(next, 1))).isTrue();
    await().atMost(PATIENCE).until(() -> history.succeeded("a0").size() == 5);
    assertThat(history.succeeded("a0")).containsExactly(0, 1, 3, 4, 5);
  }

  @Test
  void eventThatIsTriedAgainComesBeforeLaterOnesOnANodeThatNeverSawItDie() {
    Set<String> refused = ConcurrentHashMap.newKeySet();
    EventListener refusesOnce =
        event -> {
          if ("a0".equals(event.aggregateId()) && refused.add("a0")) {
            throw new NonRetryableException("refused once");
          }
          succeeds(event);
        };
    Outbox node = start(refusesOnce);
    write(node, 1, 1);
    awaitBlocked(node, 1);
    node.close();

    Outbox next = start(refusesOnce);
    tx.inTransaction(() -> next.writer().write(event("a1", 0)));
    awaitSuccesses(1);
    assertThat(next.blockedKeys().retry(awaitBlocked(next, 1))).isTrue();
    tx.inTransaction(() -> next.writer().write(event("a0", 1)));

    awaitSuccesses(3);
    assertThat(history.succeeded("a0")).containsExactly(0, 1);
  }

  @Test
  void deadEventIsLeftBehindIfAsked() {
    Outbox node = start(this::diesAtTwo, builder -> builder.onDead(OnDead.SKIP));

    write(node, 1, 5);

    awaitSuccesses(4);
    assertThat(history.succeeded("a0")).containsExactly(0, 1, 3, 4);
  }
}
