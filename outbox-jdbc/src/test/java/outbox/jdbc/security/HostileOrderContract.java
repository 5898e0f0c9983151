package outbox.jdbc.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.internal.Transactions;
import outbox.model.BlockedKey;
import outbox.model.DiscardReason;
import outbox.model.EventKey;
import outbox.model.EventStatus;
import outbox.spi.EventFilter;
import outbox.spi.KeyAction;
import outbox.spi.NodeSession;
import outbox.spi.OrderedScan;
import outbox.spi.OrderedStore;
import outbox.spi.PartitionLease;

/** The same for the texts that delivery in order has: relays, nodes, aggregates and reasons. */
abstract class HostileOrderContract extends HostileContract {

  private static final List<String> TEXTS = HostileTexts.all();

  private OrderedStore ordered;

  @BeforeEach
  void insert() {
    ordered = store.ordered();
    store.insertBatch(
        connection,
        TEXTS.stream()
            .map(
                text ->
                    EventEnvelope.builder("T")
                        .eventId(text)
                        .aggregateType(text)
                        .aggregateId(text)
                        .payloadJson("1")
                        .build())
            .toList());
  }

  private static EventKey key(String text) {
    return new EventKey(text, text);
  }

  private NodeSession join(int number) {
    String text = TEXTS.get(number);
    NodeSession session = new NodeSession(text, "session-" + number, text, 1, LONG);
    ordered.leases().join(connection, session);
    return session;
  }

  private List<String> read(Set<EventKey> only, Set<EventKey> except) {
    BitSet buckets = new BitSet();
    buckets.set(0, OrderedStore.BUCKETS);
    OrderedScan scan =
        new OrderedScan(
            0, Long.MAX_VALUE, 1000, buckets, only, except, EventFilter.ALL, 0, Long.MAX_VALUE);
    return ordered.read(connection, scan).rows().stream()
        .map(row -> row.event().eventId())
        .toList();
  }

  @Test
  void aggregateIsReadOrPassedOverWithoutOthers() {
    List<String> all = read(Set.of(), Set.of());
    for (String text : TEXTS) {
      assertThat(read(Set.of(key(text)), Set.of())).containsExactly(text);
      assertThat(read(Set.of(), Set.of(key(text)))).doesNotContain(text).hasSize(all.size() - 1);
    }
  }

  @Test
  void relayHasItsOwnSessionsAndPartitions() {
    for (int i = 0; i < TEXTS.size(); i++) {
      NodeSession session = join(i);
      PartitionLease lease = ordered.leases().acquire(connection, session, 0);
      assertThat(Objects.requireNonNull(lease).epoch()).as(session.relay()).isEqualTo(1);
    }
    for (int i = 0; i < TEXTS.size(); i++) {
      assertThat(ordered.leases().view(connection, TEXTS.get(i)).sessionIds())
          .containsExactly("session-" + i);
    }
    NodeSession first = new NodeSession(TEXTS.get(0), "session-0", "node", 1, LONG);
    ordered.leases().leave(connection, first);
    assertThat(ordered.leases().view(connection, TEXTS.get(0)).sessionIds()).isEmpty();
    assertThat(ordered.leases().view(connection, TEXTS.get(1)).sessionIds()).hasSize(1);
  }

  @Test
  void blockedAggregateIsListedAndDecidedAboutWithoutOthers() {
    for (String text : TEXTS) {
      store.markDead(connection, text, text);
      ordered.block(connection, text, key(text), text);
    }
    for (String text : TEXTS) {
      assertThat(ordered.blocks(connection, text))
          .extracting(OrderedStore.Block::key, OrderedStore.Block::eventId)
          .containsExactly(tuple(key(text), text));
      List<BlockedKey> blocked = ordered.blockedKeys(connection, text, 100);
      assertThat(blocked).extracting(BlockedKey::key).containsExactly(key(text));

      assertThat(
              ordered.resolve(
                  connection, blocked.get(0), KeyAction.DISCARD, new DiscardReason("as " + text)))
          .isTrue();

      assertThat(ordered.blocks(connection, text)).isEmpty();
      assertThat(store.find(connection, text).orElseThrow())
          .satisfies(
              ended -> {
                assertThat(ended.status()).isEqualTo(EventStatus.DONE);
                assertThat(ended.lastError())
                    .isEqualTo("discarded: as " + text + "; died of " + text);
              });
    }
  }

  @Test
  void headsAreFoundByTheirIds() {
    assertThat(ordered.heads(connection, TEXTS.get(0), TEXTS))
        .extracting(OrderedStore.Head::eventId)
        .containsExactlyInAnyOrderElementsOf(TEXTS);
  }

  @Test
  void everyAggregateCanBeLocked() throws Exception {
    for (String text : TEXTS) {
      Transactions.inTransaction(
          connection,
          tx -> {
            ordered.lockKey(tx, key(text));
            return text;
          });
    }
  }
}
