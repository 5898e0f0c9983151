package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import outbox.spi.LeaseTable.RelayNode;
import outbox.spi.LeaseTable.RelayView;
import outbox.spi.NodeSession;
import outbox.spi.PartitionLease;

/** Who owns which partition, and that a node which lost its own can write nothing. */
abstract class OrderedLeaseContract extends OrderedContract {

  @Test
  void schemaHasAllThatOrderNeeds() {
    run(connection -> ordered().check(connection));
  }

  @Test
  void firstNodeDividesTheRelay() {
    NodeSession node = join(4, LONG);

    RelayView view = view();

    assertThat(view.sessionIds()).containsExactly(node.id());
    assertThat(view.partitions())
        .containsExactly(
            new PartitionLease(0, null, 0, false),
            new PartitionLease(1, null, 0, false),
            new PartitionLease(2, null, 0, false),
            new PartitionLease(3, null, 0, false));
  }

  @Test
  void unknownRelayIsEmpty() {
    assertThat(view()).isEqualTo(new RelayView(List.of(), List.of()));
  }

  @Test
  void sessionsComeInTheOrderOfTheirIds() {
    List<String> ids = IntStream.range(0, 5).mapToObj(i -> join(2, LONG).id()).sorted().toList();

    assertThat(view().sessionIds()).isEqualTo(ids);
  }

  @Test
  void nodesAreShownWithWhatTheyOwn() {
    NodeSession first = new NodeSession(relay, id(), "a", 4, LONG);
    NodeSession second = new NodeSession(relay, id(), "b", 4, LONG);
    NodeSession other = new NodeSession(relay + "-other", id(), "c", 4, LONG);
    List.of(first, second, other)
        .forEach(node -> run(connection -> leases().join(connection, node)));
    acquire(second, 0);
    acquire(second, 3);

    assertThat(nodes()).containsExactly(new RelayNode("a", 0, false), new RelayNode("b", 2, false));
  }

  @Test
  void expiredNodeIsShownAsSuchAndNotEnded() {
    NodeSession late = join(1, SHORT);
    acquire(late, 0);

    assertThat(nodes()).containsExactly(new RelayNode("node", 1, true));
    assertThat(renew(late)).isTrue();
  }

  private List<RelayNode> nodes() {
    return session.call(connection -> leases().nodes(connection, relay));
  }

  @Test
  void relaysDoNotMeet() {
    NodeSession node = join(2, LONG);
    NodeSession other = new NodeSession(relay + "-other", id(), "node", 8, LONG);
    run(connection -> leases().join(connection, other));
    acquire(node, 1);

    RelayView view = session.call(connection -> leases().view(connection, other.relay()));

    assertThat(view.sessionIds()).containsExactly(other.id());
    assertThat(view.partitions()).hasSize(8).allMatch(PartitionLease::isFree);
    assertThat(view().partitions()).hasSize(2);
  }

  @Test
  void partitionHasOneOwnerUntilThatReleasesIt() {
    NodeSession first = join(2, LONG);
    NodeSession second = join(2, LONG);

    assertThat(acquire(first, 0)).isEqualTo(new PartitionLease(0, first.id(), 1, false));
    assertThat(acquire(second, 0)).isNull();
    assertThat(acquire(first, 0)).isNull();
    assertThat(release(second, 0)).isFalse();
    assertThat(view().partitions().get(0)).isEqualTo(new PartitionLease(0, first.id(), 1, false));

    assertThat(release(first, 0)).isTrue();
    assertThat(release(first, 0)).isFalse();
    assertThat(acquire(second, 0)).isEqualTo(new PartitionLease(0, second.id(), 2, false));
  }

  @Test
  void partitionThatIsNotThereIsNobodys() {
    NodeSession node = join(2, LONG);

    assertThat(acquire(node, 2)).isNull();
    assertThat(release(node, 2)).isFalse();
  }

  @Test
  void nodeThatLeavesGivesUpAllItHas() {
    NodeSession leaving = join(2, LONG);
    NodeSession staying = join(2, LONG);
    acquire(leaving, 0);
    acquire(leaving, 1);

    run(connection -> leases().leave(connection, leaving));
    run(connection -> leases().leave(connection, leaving));

    assertThat(view().sessionIds()).containsExactly(staying.id());
    assertThat(acquire(staying, 0)).isEqualTo(new PartitionLease(0, staying.id(), 2, false));
    assertCanDoNothing(leaving);
  }

  @Test
  void expiredSessionIsEndedByWhoLooksAndItsPartitionsAreTakenOver() {
    NodeSession dead = join(2, SHORT);
    acquire(dead, 0);

    RelayView view = view();

    assertThat(view.sessionIds()).isEmpty();
    assertThat(view.partitions().get(0)).isEqualTo(new PartitionLease(0, null, 1, true));
    assertThat(view.partitions().get(1)).isEqualTo(new PartitionLease(1, null, 0, false));
    assertCanDoNothing(dead);
  }

  @Test
  void nextOwnerIsToldThatItTookOver() {
    NodeSession dead = join(2, SHORT);
    acquire(dead, 0);
    NodeSession next = join(2, LONG);

    PartitionLease taken = acquire(next, 0);

    assertThat(taken).isEqualTo(new PartitionLease(0, next.id(), 2, true));
    assertThat(view().partitions().get(0)).isEqualTo(new PartitionLease(0, next.id(), 2, false));
    release(next, 0);
    assertThat(acquire(next, 0)).isEqualTo(new PartitionLease(0, next.id(), 3, false));
  }

  @Test
  void sessionThatNobodyHasEndedLivesHoweverLate() {
    NodeSession late = join(2, SHORT);

    assertThat(holds(late)).isTrue();
    assertThat(acquire(late, 0)).isNotNull();
    assertThat(renew(living(late))).isTrue();

    assertThat(view().sessionIds()).containsExactly(late.id());
    assertThat(view().partitions().get(0).sessionId()).isEqualTo(late.id());
  }

  @Test
  void renewedSessionExpiresLater() {
    NodeSession node = join(2, LONG);

    assertThat(renew(new NodeSession(relay, node.id(), "node", 2, SHORT))).isTrue();

    assertThat(view().sessionIds()).isEmpty();
    assertThat(renew(node)).isFalse();
  }

  @Test
  void otherNumberOfPartitionsIsRefusedWhileSomebodyLives() {
    NodeSession living = new NodeSession(relay, id(), "first-node", 4, LONG);
    run(connection -> leases().join(connection, living));
    NodeSession other = new NodeSession(relay, id(), "second-node", 8, LONG);

    assertThatThrownBy(() -> run(connection -> leases().join(connection, other)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(relay)
        .hasMessageContaining("first-node")
        .hasMessageContaining("4")
        .hasMessageContaining("8");

    assertThat(view().sessionIds()).containsExactly(living.id());
    assertThat(view().partitions()).hasSize(4);
    assertCanDoNothing(other);
  }

  @Test
  void numberOfPartitionsChangesWhenNobodyLivesAndEpochsOnlyGrow() {
    NodeSession first = join(4, LONG);
    acquire(first, 2);
    release(first, 2);
    acquire(first, 2);
    run(connection -> leases().leave(connection, first));

    NodeSession more = join(8, LONG);
    assertThat(view().partitions()).hasSize(8).allMatch(lease -> lease.epoch() == 2);
    acquire(more, 7);
    run(connection -> leases().leave(connection, more));
    NodeSession fewer = join(1, LONG);

    assertThat(view().partitions()).containsExactly(new PartitionLease(0, null, 3, false));
    assertThat(Objects.requireNonNull(acquire(fewer, 0)).epoch()).isEqualTo(4);
  }

  @Test
  void newPartitionsAreTakenOverIfOneOfTheOldWas() {
    NodeSession dead = join(2, SHORT);
    acquire(dead, 1);

    join(4, LONG);

    assertThat(view().partitions()).hasSize(4).allMatch(PartitionLease::takenOver);
  }

  @RepeatedTest(3)
  void ofNodesThatJoinAtOnceAllAgreeOnTheNumber() throws Exception {
    List<Callable<Boolean>> joins = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int partitions = i % 2 == 0 ? 4 : 16;
      joins.add(() -> joins(partitions));
    }

    List<Boolean> joined = atOnce(joins);

    assertThat(joined).contains(true);
    assertThat(view().sessionIds()).hasSize((int) joined.stream().filter(b -> b).count());
    assertThat(view().partitions().size()).isIn(4, 16);
  }

  @RepeatedTest(3)
  void ofNodesThatAcquireAtOnceOneBecomesTheOwner() throws Exception {
    List<NodeSession> nodes = IntStream.range(0, 4).mapToObj(i -> join(1, LONG)).toList();

    List<PartitionLease> leases =
        atOnce(
            nodes.stream().map(node -> (Callable<PartitionLease>) () -> acquire(node, 0)).toList());

    List<PartitionLease> won = leases.stream().filter(Objects::nonNull).toList();
    assertThat(won).hasSize(1);
    assertThat(view().partitions()).isEqualTo(won);
  }

  @Test
  void ofSeveralPartitionsThoseAreTakenThatAreFree() {
    NodeSession first = join(4, LONG);
    NodeSession second = join(4, LONG);
    acquire(first, 1);
    List<PartitionLease> gained = new ArrayList<>();

    run(connection -> gained.addAll(leases().acquireAll(connection, second, List.of(0, 1, 3, 7))));

    assertThat(gained)
        .containsExactlyInAnyOrder(
            new PartitionLease(0, second.id(), 1, false),
            new PartitionLease(3, second.id(), 1, false));
    assertThat(view().partitions()).containsAll(gained);
  }

  @Test
  void anEndedSessionTakesNoneOfSeveral() {
    NodeSession node = join(2, LONG);
    run(connection -> leases().leave(connection, node));

    run(connection -> assertThat(leases().acquireAll(connection, node, List.of(0, 1))).isEmpty());
  }

  @Test
  void expiredSessionIsNotEndedWhileItIsWritingAndNobodyWaitsForThat() {
    NodeSession late = join(1, SHORT);
    acquire(late, 0);

    session.inTransaction(
        connection -> {
          assertThat(leases().holds(connection, late)).isTrue();
          CompletableFuture<RelayView> view = CompletableFuture.supplyAsync(this::view);
          assertThat(view.orTimeout(60, TimeUnit.SECONDS).join().sessionIds())
              .containsExactly(late.id());
          return connection;
        });

    assertThat(view().sessionIds()).isEmpty();
    assertThat(holds(late)).isFalse();
  }

  @Test
  void leavingWaitsForWhatTheNodeIsWriting() {
    NodeSession node = join(1, LONG);

    CompletableFuture<RelayView> view =
        whileHolding(
            node,
            () -> {
              run(connection -> leases().leave(connection, node));
              return view();
            });

    assertThat(view.join().sessionIds()).isEmpty();
  }

  @Test
  void whatWasDoneInATransactionThatRolledBackWasNotDone() {
    NodeSession node = join(2, LONG);
    NodeSession other = new NodeSession(relay, id(), "other", 2, LONG);

    session.inTransaction(
        connection -> {
          leases().join(connection, other);
          assertThat(leases().acquire(connection, node, 0)).isNotNull();
          connection.rollback();
          return connection;
        });

    assertThat(view().sessionIds()).containsExactly(node.id());
    assertThat(view().partitions()).allMatch(PartitionLease::isFree);
  }

  /** What a second connection answers that had to wait for the first one's end. */
  private <T> CompletableFuture<T> whileHolding(NodeSession node, Supplier<T> second) {
    List<CompletableFuture<T>> answers = new ArrayList<>();
    session.inTransaction(
        connection -> {
          assertThat(leases().holds(connection, node)).isTrue();
          answers.add(CompletableFuture.supplyAsync(second));
          assertThatThrownBy(() -> answers.get(0).get(200, TimeUnit.MILLISECONDS))
              .isInstanceOf(TimeoutException.class);
          connection.commit();
          return connection;
        });
    return answers.get(0).orTimeout(60, TimeUnit.SECONDS);
  }

  private boolean joins(int partitions) {
    try {
      join(partitions, LONG);
      return true;
    } catch (IllegalStateException refused) {
      assertThat(refused).hasMessageContaining("4").hasMessageContaining("16");
      return false;
    }
  }

  private void assertCanDoNothing(NodeSession ended) {
    assertThat(holds(ended)).isFalse();
    assertThat(renew(ended)).isFalse();
    assertThat(acquire(ended, 1)).isNull();
    assertThat(release(ended, 0)).isFalse();
  }

  private NodeSession living(NodeSession late) {
    return new NodeSession(relay, late.id(), late.nodeId(), late.partitions(), LONG);
  }
}
