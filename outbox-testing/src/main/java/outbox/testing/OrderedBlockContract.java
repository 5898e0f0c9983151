package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.BlockedKey;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.EventKey;
import outbox.model.EventStatus;
import outbox.spi.KeyAction;
import outbox.spi.OrderedStore;
import outbox.spi.OrderedStore.Block;
import outbox.spi.OrderedStore.Head;

/** Aggregates that wait because their first event failed, and what an operator does about them. */
abstract class OrderedBlockContract extends OrderedLeaseContract {

  private static final DiscardReason REASON = new DiscardReason("sent by hand");

  @Test
  void headsAreAsTheyAreNow() {
    EventEnvelope fresh = session.insert(order("1"));
    EventEnvelope retried = session.insert(order("2"));
    EventEnvelope dead = blocking("3");
    EventEnvelope released = session.insertDead(order("4"));
    Instant nextAt = StoreSession.soon();
    session.markRetry(retried, nextAt, "e");

    List<Head> heads = heads(fresh, retried, dead, released, order("gone"));

    assertThat(heads)
        .containsExactlyInAnyOrder(
            new Head(fresh.eventId(), EventStatus.NEW, 0, session.row(fresh).availableAt(), false),
            new Head(retried.eventId(), EventStatus.RETRY, 1, nextAt, false),
            new Head(dead.eventId(), EventStatus.DEAD, 1, session.row(dead).availableAt(), true),
            new Head(
                released.eventId(),
                EventStatus.DEAD,
                1,
                session.row(released).availableAt(),
                false));
    assertThat(heads()).isEmpty();
  }

  @Test
  void manyHeadsAreFoundAtOnce() {
    List<EventEnvelope> events = IntStream.range(0, 1200).mapToObj(i -> order("o-" + i)).toList();
    session.insertAll(events);

    assertThat(heads(events.toArray(EventEnvelope[]::new))).hasSize(1200);
  }

  @Test
  void deadEventBlocksUntilItIsUnblocked() {
    EventEnvelope dead = session.insertDead(order("1"));

    block(relay, dead);
    block(relay, dead);
    assertThat(blocks())
        .singleElement()
        .satisfies(block -> assertThat(block.key()).isEqualTo(key("1")))
        .satisfies(block -> assertThat(block.eventId()).isEqualTo(dead.eventId()))
        .satisfies(block -> assertThat(block.seq()).isPositive())
        .satisfies(block -> assertThat(block.bucket()).isBetween(0, OrderedStore.BUCKETS - 1));

    assertThat(unblock(dead)).isTrue();
    assertThat(unblock(dead)).isFalse();
    assertThat(blocks()).isEmpty();
  }

  @Test
  void relaysBlockOnTheirOwn() {
    EventEnvelope dead = session.insertDead(order("1"));
    block(relay + "-other", dead);

    assertThat(blocks()).isEmpty();
    assertThat(heads(dead)).noneMatch(Head::blocks);
    assertThat(unblock(dead)).isFalse();
    assertThat(blockedKeys(10)).isEmpty();
  }

  @Test
  void eventThatIsNotDeadAnyMoreBlocksNothing() {
    EventEnvelope dead = blocking("1");
    session.replay(dead);

    assertThat(blocks()).isEmpty();
    assertThat(blockedKeys(10)).isEmpty();

    session.markDead(dead, "again");
    assertThat(blocks()).hasSize(1);
  }

  @Test
  void blockTakesPartInTheTransaction() {
    EventEnvelope event = session.insert(order("1"));

    session.inTransaction(
        connection -> {
          session.store().markDead(connection, event.eventId(), "e");
          ordered().block(connection, relay, key("1"), event.eventId());
          connection.rollback();
          return connection;
        });

    assertThat(blocks()).isEmpty();
    assertThat(session.row(event).status()).isEqualTo(EventStatus.NEW);
  }

  @Test
  void blockedAggregatesAreListedLongestWaitingFirst() {
    EventEnvelope retried = session.insert(order("retried"));
    EventEnvelope dead = blocking("dead");
    insertBehind("dead", 3);
    insertBehind("retried", 2);
    session.insert(event("Other", "dead"));
    session.markDone(session.insert(order("dead")));
    session.markRetry(retried, StoreSession.soon(), "refused");
    session.markRetry(session.insert(event(null, null)), StoreSession.soon(), "no aggregate");
    session.insertDead(order("skipped"));

    List<BlockedKey> page = blockedKeys(10);

    assertThat(page).extracting(BlockedKey::key).containsExactly(key("retried"), key("dead"));
    assertThat(page).extracting(BlockedKey::depth).containsExactly(2L, 3L);
    assertThat(page).extracting(BlockedKey::relay).containsOnly(relay);
    assertThat(page)
        .extracting(BlockedKey::head)
        .containsExactly(session.row(retried), session.row(dead));
    assertThat(page).extracting(BlockedKey::waitsForOperator).containsExactly(false, true);
    assertThat(page.get(0).since()).isEqualTo(session.row(retried).event().createdAt());
    assertThat(page.get(1).since())
        .isBetween(session.row(dead).event().createdAt(), StoreSession.soon());
    assertThat(blockedKeys(1)).isEqualTo(page.subList(0, 1));
    assertThat(blockedKeys(0)).isEmpty();
  }

  @Test
  void deadHeadIsTriedAgainAsNew() {
    EventEnvelope dead = blocking("1");

    assertThat(resolve(seen(), KeyAction.RETRY)).isTrue();

    EventDetails row = session.row(dead);
    assertThat(row.status()).isEqualTo(EventStatus.NEW);
    assertThat(row.event().attempts()).isZero();
    assertThat(row.lastError()).isNull();
    assertThat(row.doneAt()).isNull();
    assertThat(heads(dead)).noneMatch(Head::blocks);
    session.markDead(dead, "again");
    assertThat(blocks()).isEmpty();
  }

  @Test
  void deadHeadIsSkippedOrReleasedAndStaysDead() {
    for (KeyAction action : List.of(KeyAction.SKIP, KeyAction.RELEASE)) {
      EventEnvelope dead = blocking(action.name());
      EventDetails before = session.row(dead);

      assertThat(resolve(seen(), action)).isTrue();

      assertThat(session.row(dead)).isEqualTo(before);
      assertThat(blocks()).isEmpty();
    }
  }

  @Test
  void deadHeadIsDiscardedWithAReason() {
    EventEnvelope dead = blocking("1");

    assertThat(resolve(seen(), KeyAction.DISCARD)).isTrue();

    assertDiscarded(session.row(dead));
    assertThat(blocks()).isEmpty();
  }

  @Test
  void headThatIsTriedAgainIsTriedNow() {
    EventEnvelope retried = retried("1");

    assertThat(resolve(seen(), KeyAction.RETRY)).isTrue();

    EventDetails row = session.row(retried);
    assertThat(row.status()).isEqualTo(EventStatus.RETRY);
    assertThat(row.event().attempts()).isEqualTo(1);
    assertThat(row.lastError()).isEqualTo("refused");
    assertThat(row.availableAt()).isBefore(StoreSession.soon());
  }

  @Test
  void headThatIsTriedAgainIsSkippedAndBlocksNothing() {
    EventEnvelope retried = retried("1");

    assertThat(resolve(seen(), KeyAction.SKIP)).isTrue();

    EventDetails row = session.row(retried);
    assertThat(row.status()).isEqualTo(EventStatus.DEAD);
    assertThat(row.doneAt()).isNotNull();
    assertThat(row.lastError()).isEqualTo("refused");
    assertThat(row.event().attempts()).isEqualTo(1);
    assertThat(blocks()).isEmpty();
  }

  @Test
  void headThatIsTriedAgainIsDiscardedButNotReleased() {
    EventEnvelope retried = retried("1");
    EventDetails before = session.row(retried);
    BlockedKey seen = seen();

    assertThat(resolve(seen, KeyAction.RELEASE)).isFalse();
    assertThat(session.row(retried)).isEqualTo(before);

    assertThat(resolve(seen, KeyAction.DISCARD)).isTrue();
    assertDiscarded(session.row(retried));
  }

  @Test
  void discardNeedsAReason() {
    blocking("1");
    BlockedKey seen = seen();

    assertThatThrownBy(
            () -> run(connection -> ordered().resolve(connection, seen, KeyAction.DISCARD, null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("reason");
    assertThat(blocks()).hasSize(1);
  }

  @Test
  void whatIsNotAsItWasSeenIsLeftAlone() {
    EventEnvelope released = blocking("released");
    BlockedKey dead = seen();
    unblock(released);
    assertChangesNothing(dead, released);

    EventEnvelope replayed = blocking("replayed");
    BlockedKey blocked = seen();
    session.replay(replayed);
    assertChangesNothing(blocked, replayed);
    session.markDone(replayed);
    unblock(replayed);

    EventEnvelope retried = retried("retried");
    BlockedKey tried = seen();
    session.markDone(retried);
    assertChangesNothing(tried, retried);
  }

  @RepeatedTest(3)
  void ofTwoOperatorsOneDecides() throws Exception {
    EventEnvelope dead = blocking("1");
    BlockedKey seen = seen();

    List<Boolean> resolved =
        atOnce(
            List.<Callable<Boolean>>of(
                () -> resolve(seen, KeyAction.RETRY),
                () -> resolve(seen, KeyAction.DISCARD),
                () -> resolve(seen, KeyAction.SKIP)));

    assertThat(resolved).containsOnlyOnce(true);
    EventStatus expected =
        resolved.get(0) ? EventStatus.NEW : resolved.get(1) ? EventStatus.DONE : EventStatus.DEAD;
    assertThat(session.row(dead).status()).isEqualTo(expected);
    assertThat(blocks()).isEmpty();
  }

  @Test
  void decisionTakesPartInTheTransaction() {
    EventEnvelope dead = blocking("1");
    EventDetails before = session.row(dead);
    BlockedKey seen = seen();

    session.inTransaction(
        connection -> {
          assertThat(ordered().resolve(connection, seen, KeyAction.DISCARD, REASON)).isTrue();
          connection.rollback();
          return connection;
        });

    assertThat(session.row(dead)).isEqualTo(before);
    assertThat(blocks()).hasSize(1);
  }

  private void assertChangesNothing(BlockedKey seen, EventEnvelope event) {
    EventDetails before = session.row(event);
    for (KeyAction action : KeyAction.values()) {
      assertThat(resolve(seen, action)).as(action.name()).isFalse();
    }
    assertThat(session.row(event)).isEqualTo(before);
  }

  private static void assertDiscarded(EventDetails row) {
    assertThat(row.isDiscarded()).isTrue();
    assertThat(row.lastError()).contains("sent by hand", "refused");
    assertThat(row.doneAt()).isNotNull();
  }

  final EventEnvelope blocking(String id) {
    EventEnvelope event = session.insert(order(id));
    session.markDead(event, "refused");
    block(relay, event);
    return event;
  }

  private EventEnvelope retried(String id) {
    EventEnvelope event = session.insert(order(id));
    session.markRetry(event, StoreSession.now().plus(Duration.ofHours(1)), "refused");
    return event;
  }

  private void insertBehind(String id, int count) {
    IntStream.range(0, count).forEach(i -> session.insert(order(id)));
  }

  /** The only one that waits. */
  final BlockedKey seen() {
    List<BlockedKey> page = blockedKeys(10);
    assertThat(page).hasSize(1);
    return page.get(0);
  }

  private boolean resolve(BlockedKey seen, KeyAction action) {
    DiscardReason reason = action == KeyAction.DISCARD ? REASON : null;
    return session.call(connection -> ordered().resolve(connection, seen, action, reason));
  }

  private List<BlockedKey> blockedKeys(int limit) {
    return session.call(connection -> ordered().blockedKeys(connection, relay, limit));
  }

  private List<Head> heads(EventEnvelope... events) {
    List<String> ids = List.of(events).stream().map(EventEnvelope::eventId).toList();
    return session.call(connection -> ordered().heads(connection, relay, ids));
  }

  final void block(String relay, EventEnvelope event) {
    EventKey key = new EventKey(event.aggregateType(), Objects.requireNonNull(event.aggregateId()));
    run(connection -> ordered().block(connection, relay, key, event.eventId()));
  }

  final boolean unblock(EventEnvelope event) {
    return session.call(connection -> ordered().unblock(connection, relay, event.eventId()));
  }

  final List<Block> blocks() {
    return session.call(connection -> ordered().blocks(connection, relay));
  }
}
