package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;

class InFlightTest {

  private final EventEnvelope envelope = EventEnvelope.ofJson("T", "{}");
  private final List<Integer> turns = new ArrayList<>();
  private final InFlight inFlight =
      new InFlight(
          new DefaultInFlightTracker(),
          new ByteBudget(1 << 20),
          next -> turns.add(next.event().attempts()));

  private QueuedEvent event(int attempts) {
    return new QueuedEvent(envelope, QueuedEvent.Source.COLD, attempts);
  }

  @Test
  void eventIsHeldOnceUntilItEnds() {
    Delivery first = inFlight.hold(event(0), null);

    assertThat(first.isOurs()).isTrue();
    assertThat(inFlight.hold(event(0), null)).isNull();

    first.hold().tried();
    assertThat(inFlight.hold(event(1), null)).isNotNull();
    assertThat(turns).isEmpty();
  }

  @Test
  void holdEndsOnlyOnce() {
    Delivery first = inFlight.hold(event(0), null);
    first.hold().tried();
    inFlight.hold(event(1), null);

    first.hold().tried();
    first.hold().untried();

    assertThat(inFlight.hold(event(1), null)).isNull();
  }

  @Test
  void retryFetchedBeforeTheLastTryEndedHasItsTurnAfter() {
    Delivery first = inFlight.hold(event(0), null);
    assertThat(inFlight.holdFetched(event(1), null, null)).isNull();

    first.hold().tried();

    assertThat(turns).containsExactly(1);
  }

  /** At the very moment the last try ends, too; the threads meet at about that moment. */
  @Test
  void retryIsNeverForgotten() {
    for (int round = 1; round <= 5000; round++) {
      turns.clear();
      Delivery last = inFlight.hold(event(0), null);
      CompletableFuture<Void> ending = CompletableFuture.runAsync(last.hold()::tried);
      Delivery retry = inFlight.holdFetched(event(1), null, null);
      ending.join();

      assertThat(turns.size() + (retry == null ? 0 : 1)).as("round " + round).isEqualTo(1);
      if (retry != null) {
        retry.hold().tried();
      }
    }
  }

  @Test
  void sameTryFetchedAgainHasNoTurn() {
    Delivery first = inFlight.hold(event(2), null);
    assertThat(inFlight.holdFetched(event(2), null, null)).isNull();
    assertThat(inFlight.holdFetched(event(0), null, null)).isNull();

    first.hold().tried();

    assertThat(turns).isEmpty();
  }

  @Test
  void eventThatWasNotTriedLeavesItsTurnToWhoeverFetchedItSince() {
    Delivery first = inFlight.hold(event(2), null);
    assertThat(inFlight.holdFetched(event(2), null, null)).isNull();

    first.hold().untried();

    assertThat(turns).containsExactly(2);
  }

  @Test
  void whatEndsDuringAPollIsStale() {
    Delivery first = inFlight.hold(event(0), null);
    inFlight.pollStarts();

    first.hold().tried();

    assertThat(inFlight.isStale(event(0))).isTrue();
    assertThat(inFlight.isStale(event(1))).isFalse();
    inFlight.pollEnds();
    assertThat(inFlight.isStale(event(0))).isFalse();
  }

  @Test
  void whatEndedBeforeThePollIsNotStale() {
    inFlight.hold(event(0), null).hold().tried();

    inFlight.pollStarts();

    assertThat(inFlight.isStale(event(0))).isFalse();
  }

  @Test
  void onlyWhatWasNotHereIsNews() {
    Delivery here = inFlight.hold(event(0), null);
    assertThat(isNews(event(0))).isFalse();

    inFlight.pollStarts();
    here.hold().tried();
    inFlight.holdFetched(event(0), null, null);
    assertThat(inFlight.pollEnds()).as("has ended since it was fetched").isFalse();

    QueuedEvent committed = other();
    inFlight.announce(committed.envelope().eventId(), this);
    assertThat(isNews(committed)).as("comes straight from its commit").isFalse();

    assertThat(isNews(other())).isTrue();
    inFlight.pollStarts();
    assertThat(inFlight.pollEnds()).as("of the next poll").isFalse();
  }

  private boolean isNews(QueuedEvent fetched) {
    inFlight.pollStarts();
    inFlight.holdFetched(fetched, null, null);
    return inFlight.pollEnds();
  }

  private static QueuedEvent other() {
    return new QueuedEvent(EventEnvelope.ofJson("T", "{}"), QueuedEvent.Source.COLD, 0);
  }

  @Test
  void announcedEventThatThePollerMetIsTaken() {
    String eventId = envelope.eventId();
    inFlight.announce(eventId, this);

    inFlight.holdFetched(event(0), null, null).hold().tried();

    assertThat(inFlight.wasTaken(eventId, this)).isTrue();
    assertThat(inFlight.wasTaken(eventId, this)).isFalse();
  }

  @Test
  void announcementOutlivesAnEarlierOneOfTheSameEventThatWasRolledBack() {
    String eventId = envelope.eventId();
    Object rolledBack = new Object();
    inFlight.announce(eventId, rolledBack);
    inFlight.announce(eventId, this);

    inFlight.holdFetched(event(0), null, null).hold().tried();

    assertThat(inFlight.wasTaken(eventId, rolledBack)).isFalse();
    assertThat(inFlight.wasTaken(eventId, this)).isTrue();
  }

  @Test
  void announcedEventThatNobodyMetIsNotTaken() {
    inFlight.announce(envelope.eventId(), this);

    assertThat(inFlight.wasTaken(envelope.eventId(), this)).isFalse();
    inFlight.holdFetched(event(0), null, null);
    assertThat(inFlight.wasTaken(envelope.eventId(), this)).isFalse();
  }

  @Test
  void throwingTrackerDoesNotKeepOthersFromTheirTurn() {
    InFlight broken =
        new InFlight(
            new InFlightTracker() {
              private boolean taken;

              @Override
              public boolean tryAcquire(String eventId) {
                boolean free = !taken;
                taken = true;
                return free;
              }

              @Override
              public void release(String eventId) {
                taken = false;
                throw new AssertionError("broken");
              }
            },
            new ByteBudget(1 << 20),
            next -> turns.add(next.event().attempts()));
    Delivery first = broken.hold(event(0), null);
    broken.holdFetched(event(1), null, null);

    assertThatCode(() -> first.hold().tried()).doesNotThrowAnyException();

    assertThat(turns).containsExactly(1);
  }

  @Test
  void eventHeldElsewhereIsNotWaitedFor() {
    DefaultInFlightTracker shared = new DefaultInFlightTracker();
    InFlight other =
        new InFlight(shared, new ByteBudget(1 << 20), next -> turns.add(next.event().attempts()));
    InFlight mine =
        new InFlight(shared, new ByteBudget(1 << 20), next -> turns.add(next.event().attempts()));
    Delivery first = other.hold(event(0), null);

    assertThat(mine.holdFetched(event(1), null, null)).isNull();
    first.hold().tried();

    assertThat(turns).isEmpty();
    assertThat(mine.holdFetched(event(1), null, null)).isNotNull();
  }

  @Test
  void eventsOnlyPassingThroughHoldNothing() {
    InFlight.Hold.NONE.tried();
    InFlight.Hold.NONE.untried();

    assertThat(InFlight.Hold.NONE.isCurrent()).isTrue();
  }
}
