package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.destination.ScriptedDestination.TAKES;
import static outbox.destination.ScriptedDestination.deliver;
import static outbox.destination.ScriptedDestination.events;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.internal.BatchMarks;

/** Who is to blame if an answer doesn't come in time. */
class GuardTimeoutTest {

  private final ScriptedDestination destination = new ScriptedDestination("billing");

  @Test
  void noAnswerInTimeIsAnOutage() {
    GuardedDestination guard = guard(Duration.ofMillis(20));
    destination.script = (events, result) -> new CompletableFuture<>();

    for (int i = 0; i < 3; i++) {
      List<EventEnvelope> events = events(2);
      assertThat(deliver(guard, events).failureOf(events.get(1)))
          .isInstanceOf(DeferException.class)
          .cause()
          .hasMessageContaining("billing gave no answer within PT0.02S");
    }

    assertThat(guard.isTaking()).isFalse();
    assertThat(guard.health().inFlight()).isZero();
  }

  @Test
  void noAnswerInTimeFromADestinationThatTakesLaterOnesIsTheEventsFault() {
    GuardedDestination guard = guard(Duration.ofSeconds(1));
    destination.script = (events, result) -> new CompletableFuture<>();
    UnderWay stuck = new UnderWay(guard, events(1));
    destination.script = TAKES;
    deliver(guard, events(1));

    assertThat(stuck.failure(0))
        .isNotNull()
        .isNotInstanceOf(DeferException.class)
        .hasMessageContaining("no answer within");
    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.UP);
  }

  @Test
  void whatWaitsBehindOthersIsNotCharged() {
    GuardedDestination guard = guard(Duration.ofMillis(200));
    CompletableFuture<Object> answer = new CompletableFuture<>();
    destination.script = (events, result) -> answer;
    UnderWay first = new UnderWay(guard, events(1));
    destination.script = (events, result) -> new CompletableFuture<>();
    UnderWay second = new UnderWay(guard, events(1));

    answer.complete("taken");
    first.end.join();

    assertThat(second.failure(0)).isInstanceOf(DeferException.class);
    assertThat(guard.health().failed()).isZero();
  }

  @Test
  void ofABatchOnlyThoseAreChargedThatWereOvertaken() {
    GuardedDestination guard = guard(Duration.ofMillis(20));
    destination.script =
        (events, result) -> {
          result.delivered(events.get(1));
          return new CompletableFuture<>();
        };
    UnderWay batch = new UnderWay(guard, events(3));

    assertThat(batch.failure(0)).isNotNull().isNotInstanceOf(DeferException.class);
    assertThat(batch.failure(1)).isNull();
    assertThat(batch.failure(2)).isInstanceOf(DeferException.class);
    assertThat(guard.health().state()).isEqualTo(DestinationHealth.State.UP);
  }

  @Test
  void tooLateIsNoWordOfTheDestination() {
    List<EventEnvelope> events = events(1);
    Tally tally = new Tally(Clock.systemUTC());
    GuardedBatch batch =
        new GuardedBatch(
            events,
            new BatchMarks(events),
            new Deferral("billing", () -> Duration.ZERO, tally),
            tally);

    batch.endTooLate("no answer", true);

    assertThat(batch.anyRefused()).isFalse();
    assertThat(batch.outage()).isNull();
  }

  private GuardedDestination guard(Duration timeout) {
    return GuardedDestination.builder(destination).outageAfter(3).timeout(timeout).build();
  }

  /** A batch that was handed to the guard, and what became of it. */
  private static final class UnderWay {

    private final List<EventEnvelope> events;
    private final BatchMarks marks;
    private final CompletableFuture<?> end;

    UnderWay(GuardedDestination guard, List<EventEnvelope> events) {
      this.events = events;
      marks = new BatchMarks(events);
      end = guard.onEventsAsync(events, marks).toCompletableFuture();
    }

    Throwable failure(int position) {
      end.join();
      marks.end(null);
      return marks.failureOf(events.get(position));
    }
  }
}
