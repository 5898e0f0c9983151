package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static outbox.destination.ScriptedDestination.IS_AWAY;
import static outbox.destination.ScriptedDestination.TAKES;
import static outbox.destination.ScriptedDestination.deliver;
import static outbox.destination.ScriptedDestination.events;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.RetryAfterException;
import outbox.internal.BatchMarks;
import outbox.testing.MutableClock;

class GuardedDestinationTest {

  private static final Duration LONG = Duration.ofMinutes(10);

  private final MutableClock clock = new MutableClock(Instant.parse("2030-01-31T12:00:00Z"));
  private final ScriptedDestination destination = new ScriptedDestination("billing");
  private final GuardedDestination guard = guard().build();

  private GuardedDestination.Builder guard() {
    return GuardedDestination.builder(destination).outageAfter(3).clock(clock);
  }

  @Test
  void whatIsTakenIsDelivered() {
    List<EventEnvelope> events = events(3);

    BatchMarks marks = deliver(guard, events);

    assertThat(events).allSatisfy(event -> assertThat(marks.failureOf(event)).isNull());
    assertThat(guard.health().delivered()).isEqualTo(3);
    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.UP);
    assertThat(guard.health().inFlight()).isZero();
  }

  @Test
  void anOutageCostsNoEventAnAttempt() {
    destination.script = IS_AWAY;

    for (int i = 0; i < 10; i++) {
      assertAllDeferred(events(2));
    }

    assertThat(guard.health().failed()).isZero();
    assertThat(guard.health().lastError()).contains("connection refused");
  }

  @Test
  void afterSomeBatchesWithoutADestinationItIsLeftAlone() {
    destination.script = IS_AWAY;

    for (int i = 0; i < 10; i++) {
      deliver(guard, events(2));
    }

    assertThat(destination.batches()).hasSize(3);
    assertThat(guard.isTaking()).isFalse();
    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.DOWN);
    assertThat(guard.health().outages()).isEqualTo(1);
    assertThat(guard.health().since()).isEqualTo(clock.instant());
  }

  @Test
  void fewEventsFindOutWhetherItIsBackAndOneBatchAtATime() {
    goAway();
    CompletableFuture<Object> answer = new CompletableFuture<>();
    destination.script = (events, result) -> answer;

    clock.advance(LONG);
    assertThat(guard.isTaking()).isTrue();
    List<EventEnvelope> probe = events(100);
    BatchMarks marks = new BatchMarks(probe);
    guard.onEventsAsync(probe, marks);

    assertThat(destination.batches()).last().isEqualTo(Room.PROBE);
    assertThat(guard.isTaking()).isFalse();
    assertAllDeferred(events(10));
    answer.complete("taken");
    marks.end(null);
    assertThat(marks.failureOf(probe.get(0))).isNull();
    assertThat(marks.failureOf(probe.get(99))).isInstanceOf(DeferException.class);
    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.UP);
  }

  @Test
  void aProbeThatFailsLeavesItAloneForLonger() {
    goAway();

    clock.advance(LONG);
    deliver(guard, events(1));
    int calls = destination.batches().size();

    assertThat(guard.isTaking()).isFalse();
    clock.advance(Duration.ofMillis(500)); // the first pause would be over at last after a second
    assertAllDeferred(events(1));
    assertThat(destination.batches()).hasSize(calls);
    assertThat(guard.health().outages()).isEqualTo(1);
  }

  @Test
  void aRefusalShowsThatItIsBack() {
    List<Throwable> refusals =
        List.of(
            new NonRetryableException("too large"),
            new RetryAfterException(Duration.ofMinutes(1), "busy"),
            new OutboxException("no such exchange", null));

    for (Throwable refusal : refusals) {
      goAway();
      clock.advance(LONG);
      destination.script = failing(refusal);
      deliver(guard, events(2));

      assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.UP);
      assertThat(guard.isTaking()).isTrue();
    }
  }

  @Test
  void whatSaysNothingOfTheDestinationDoesNotShowThatItIsBack() {
    List<Throwable> failures =
        List.of(
            new DeferException(Duration.ofMinutes(1), "not now"),
            new IllegalStateException("broken before it was sent"));
    goAway();

    for (Throwable failure : failures) {
      clock.advance(LONG);
      destination.script = failing(failure);
      deliver(guard, events(2));

      assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.DOWN);
    }
  }

  @Test
  void aRefusalBesideAnOutageDoesNotShowThatItIsBack() {
    goAway();
    clock.advance(LONG);
    destination.script =
        (events, result) -> {
          result.failed(events.get(0), new NonRetryableException("too large"));
          throw new UnavailableException("connection refused", null);
        };

    deliver(guard, events(2));

    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.DOWN);
  }

  @Test
  void afterAnOutageMoreAndMoreEventsAreUnderWay() {
    goAway();
    destination.script = TAKES;
    clock.advance(LONG);
    int before = destination.batches().size();

    for (int i = 0; i < 8; i++) {
      deliver(guard, events(Math.min(500, guard.maxBatch())));
    }

    assertThat(destination.batches().subList(before, before + 8)).first().isEqualTo(Room.PROBE);
    assertThat(destination.batches().subList(before + 1, before + 8))
        .containsExactly(5, 10, 20, 40, 80, 160, 320);
  }

  @Test
  void whatFindsNoRoomIsDeferred() {
    GuardedDestination narrow = guard().maxInFlight(10).build();
    destination.script = (events, result) -> new CompletableFuture<>();
    List<EventEnvelope> events = events(12);
    BatchMarks marks = new BatchMarks(events);

    narrow.onEventsAsync(events, marks);

    assertThat(destination.batches()).containsExactly(10);
    assertThat(narrow.health().inFlight()).isEqualTo(10);
    assertThat(narrow.isTaking()).isFalse();
    assertThat(narrow.maxBatch()).isZero();
    marks.end(null);
    assertThat(marks.failureOf(events.get(10))).isInstanceOf(DeferException.class);
  }

  @Test
  void oneThatHeldOthersUpIsLeftAloneForAsLongAgainOrUntilItAnswers() {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    destination.script = (events, result) -> answer;
    List<EventEnvelope> events = events(1);
    guard.onEventsAsync(events, new BatchMarks(events));

    guard.endedNothingFor(Duration.ofSeconds(2));
    assertThat(guard.isTaking()).isFalse();
    assertThat(guard.isAway()).isFalse();
    clock.advance(Duration.ofSeconds(2));
    assertThat(guard.isTaking()).isTrue();

    guard.endedNothingFor(LONG);
    assertThat(guard.isTaking()).isFalse();
    answer.complete("taken");
    assertThat(guard.isTaking()).isTrue();
    guard.endedNothingFor(LONG);
    assertThat(guard.isTaking()).as("it has just answered").isTrue();

    clock.advance(LONG.plusNanos(1));
    guard.endedNothingFor(LONG);
    assertThat(guard.isTaking()).isFalse();
    clock.advance(Duration.ofSeconds(20));
    assertThat(guard.isTaking()).isTrue();
  }

  @Test
  void whatIsPausedIsPutOffThoughThereIsNoRoom() {
    GuardedDestination narrow = guard().maxInFlight(1).build();
    destination.script = (events, result) -> new CompletableFuture<>();
    List<EventEnvelope> first = events(1);
    narrow.onEventsAsync(first, new BatchMarks(first));

    narrow.pause();

    assertThat(narrow.maxBatch()).isPositive();
  }

  @Test
  void failuresOfSingleEventsAreTheirsAndNoOutage() {
    List<Throwable> failures =
        List.of(
            new NonRetryableException("too large"),
            new RetryAfterException(Duration.ofMinutes(1), "busy"),
            new DeferException(Duration.ofMinutes(1), "not now"),
            new IllegalStateException("broken"));

    for (Throwable failure : failures) {
      destination.script = failing(failure);
      for (int i = 0; i < 5; i++) {
        List<EventEnvelope> events = events(1);
        assertThat(deliver(guard, events).failureOf(events.get(0))).isSameAs(failure);
      }
    }

    assertThat(guard.isTaking()).isTrue();
    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.UP);
    assertThat(guard.health().failed()).isEqualTo(15);
    assertThat(guard.health().deferred()).isEqualTo(5);
  }

  @Test
  void aBatchOfWhichSomethingWasDeliveredIsNoOutage() {
    destination.script =
        (events, result) -> {
          result.delivered(events.get(0));
          throw new UnavailableException("connection lost", null);
        };

    for (int i = 0; i < 10; i++) {
      List<EventEnvelope> events = events(2);
      BatchMarks marks = deliver(guard, events);
      assertThat(marks.failureOf(events.get(0))).isNull();
      assertThat(marks.failureOf(events.get(1))).isInstanceOf(DeferException.class);
    }

    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.UP);
  }

  @Test
  void aDestinationThatSaysWhenToComeBackIsLeftAloneUntilThen() {
    destination.script =
        (events, result) -> {
          throw new UnavailableException("try later", null, Duration.ofMinutes(3));
        };
    deliver(guard, events(1));

    clock.advance(Duration.ofSeconds(179));
    assertThat(guard.isTaking()).isFalse();
    List<EventEnvelope> events = events(1);
    assertThat(deliver(guard, events).failureOf(events.get(0))).isInstanceOf(DeferException.class);
    assertThat(destination.batches()).hasSize(1);

    clock.advance(Duration.ofSeconds(2));
    assertThat(guard.isTaking()).isTrue();
  }

  @Test
  void whatIsNotWantedAnyMoreIsCancelledAtTheDestinationAndNotUnderWay() {
    CompletableFuture<Object> stage = new CompletableFuture<>();
    destination.script = (events, result) -> stage;
    List<EventEnvelope> events = events(2);
    CompletableFuture<?> told =
        guard.onEventsAsync(events, new BatchMarks(events)).toCompletableFuture();

    told.cancel(true);

    assertThat(stage).isCancelled();
    assertThat(guard.health().inFlight()).isZero();
    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.UP);
  }

  @Test
  void whatIsPausedPutsOffUntilItIsResumed() {
    guard.pause();

    assertAllDeferred(events(3));
    assertThat(destination.batches()).isEmpty();
    assertThat(guard.isTaking()).isFalse();
    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.PAUSED);

    guard.resume();
    List<EventEnvelope> events = events(1);
    assertThat(deliver(guard, events).failureOf(events.get(0))).isNull();
  }

  @Test
  void noMoreThanTheRateIsSentAndTheRestIsSpreadOverItsTime() {
    GuardedDestination slow = guard().rate(10).build();
    List<EventEnvelope> events = events(500);

    BatchMarks marks = deliver(slow, events);

    assertThat(destination.batches()).containsExactly(10);
    Duration longest =
        events.subList(10, 500).stream()
            .map(event -> ((DeferException) marks.failureOf(event)).delay())
            .max(Duration::compareTo)
            .orElseThrow();
    assertThat(longest).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(75));
    assertThat(slow.health().state()).isEqualTo(DestinationHealth.State.UP);
  }

  @Test
  void closeClosesOnceAndWhatComesLaterIsDeferred() {
    guard.close();
    guard.close();

    assertThat(destination.closes).isEqualTo(1);
    assertAllDeferred(events(1));
    assertThat(guard.isTaking()).isFalse();
    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.CLOSED);
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> guard().rate(0)).hasMessage("rate must be at least 1, got: 0");
    assertThatThrownBy(() -> guard().outageAfter(0))
        .hasMessage("outageAfter must be at least 1, got: 0");
    assertThatThrownBy(() -> guard().probeAfter(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .hasMessage("longest of probeAfter must be at least the first, PT2S, got: PT1S");
    assertThatThrownBy(() -> new GuardedDestination(new ScriptedDestination("two words")))
        .hasMessage(
            "name of the destination must be 1 to 32 letters, digits, dots, hyphens and"
                + " underscores, got: two words");
  }

  private static ScriptedDestination.Script failing(Throwable failure) {
    return (events, result) -> {
      events.forEach(event -> result.failed(event, failure));
      return CompletableFuture.completedFuture(null);
    };
  }

  private void goAway() {
    destination.script = IS_AWAY;
    for (int i = 0; i < 3; i++) {
      deliver(guard, events(1));
    }
    assertThat(guard.isTaking()).isFalse();
  }

  private void assertAllDeferred(List<EventEnvelope> events) {
    BatchMarks marks = deliver(guard, events);
    assertThat(events)
        .allSatisfy(
            event ->
                assertThat(marks.failureOf(event))
                    .isInstanceOf(DeferException.class)
                    .hasMessageContaining("billing"));
  }
}
