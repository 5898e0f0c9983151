package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.poller.OutboxPoller;
import outbox.spi.OutboxStore;
import outbox.spi.Settlement;
import outbox.testing.Harness;
import outbox.testing.SettlingStore;
import outbox.testing.Uninterruptibly;

/** A status that the database doesn't answer, so that no claim can be renewed behind it. */
class StuckCompletionTest {

  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Harness harness = new Harness();
  private final CountDownLatch writing = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private final OutboxStore store = new FirstStatusUnanswered();
  private final OutboxDispatcher dispatcher = harness.build(harness.dispatcher(store));
  private final DispatcherPollerHandler handler = new DispatcherPollerHandler(dispatcher);

  private final class FirstStatusUnanswered extends SettlingStore {

    FirstStatusUnanswered() {
      super(harness.store);
    }

    @Override
    public int settle(Connection connection, List<Settlement> settlements) {
      writing.countDown();
      Uninterruptibly.await(answered, PATIENCE);
      return super.settle(connection, settlements);
    }
  }

  @AfterEach
  void close() {
    answered.countDown();
    harness.close();
  }

  @Test
  void nothingIsClaimedThatMightBeLostBeforeItIsRenewed() {
    OutboxPoller poller = poller();
    getStuck(poller);
    EventEnvelope fetched = harness.stored();
    EventEnvelope written = Harness.event();

    poller.poll();
    harness.write(writer(), written);

    assertThat(harness.row(fetched).lockedBy()).isNull();
    assertThat(harness.row(written).lockedBy()).isNull();
  }

  @Test
  void everythingIsDeliveredOnceTheStatusIsAnswered() {
    OutboxPoller poller = poller();
    EventEnvelope first = getStuck(poller);
    EventEnvelope fetched = harness.stored();
    EventEnvelope written = Harness.event();
    harness.write(writer(), written);

    answered.countDown();
    Harness.eventually(this::hasRoom);
    poller.poll();

    harness.awaitDone(first, fetched, written);
  }

  @Test
  void withoutClaimsThereIsNothingToLoseAndFetchingGoesOn() {
    OutboxPoller poller = harness.build(harness.poller(dispatcher, store));
    harness.stored();
    poller.poll();
    Uninterruptibly.await(writing, PATIENCE);
    EventEnvelope fetched = harness.stored();

    poller.poll();

    Harness.eventually(() -> harness.listener.eventIds().contains(fetched.eventId()));
    assertThat(hasRoom()).isTrue();
  }

  private boolean hasRoom() {
    return handler.availableCapacity() > 0;
  }

  private OutboxPoller poller() {
    return harness.build(harness.poller(dispatcher, store).claimLocking("node-1", LEASE));
  }

  private OutboxWriter writer() {
    return harness.writer(dispatcher);
  }

  /** Returns the event whose status is not answered. */
  private EventEnvelope getStuck(OutboxPoller poller) {
    EventEnvelope first = harness.stored();
    poller.poll();
    Uninterruptibly.await(writing, PATIENCE);
    Harness.eventually(() -> !hasRoom());
    return first;
  }
}
