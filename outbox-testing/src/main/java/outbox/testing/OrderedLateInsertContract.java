package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.model.EventStatus;

/**
 * What delivery in order promises on databases where an INSERT may wait for another transaction
 * after it has taken its number.
 */
public abstract class OrderedLateInsertContract extends OrderedNodes {

  @Test
  void insertThatWaitsForALockIsNotPassedOverThoughItHasTakenItsNumber() throws Exception {
    Outbox node = start(this::succeeds);
    EventEnvelope first = event("first", 0);
    tx.inTransaction(() -> node.writer().write(first));
    await().atMost(PATIENCE).until(() -> session.row(first).status() == EventStatus.DONE);
    StubTxContext purge = new StubTxContext(fixture.connections());
    purge.begin();
    assertThat(fixture.purger().purge(purge.currentConnection(), StoreSession.soon(), 10))
        .isEqualTo(1);

    EventEnvelope again =
        EventEnvelope.builder(TYPE)
            .eventId(first.eventId())
            .aggregateType("Account")
            .aggregateId("late")
            .payloadJson("0")
            .build();
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(
            () -> {
              tx.inTransaction(() -> node.writer().write(again));
              tx.inTransaction(() -> node.writer().write(event("late", 1)));
            });
    for (int i = 0; i < 5; i++) {
      write(node, 10, i, i + 1);
      await().pollDelay(Duration.ofMillis(500)).until(() -> true);
    }
    assertThat(writing).isNotDone();
    purge.commit();
    writing.get(60, TimeUnit.SECONDS);

    awaitSuccesses(1 + 10 * 5 + 2);
    history.assertInOrder();
  }
}
