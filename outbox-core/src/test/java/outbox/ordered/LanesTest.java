package outbox.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.model.EventStatus;
import outbox.ordered.LanesScript.Kind;
import outbox.ordered.LanesScript.Step;

/** What {@link LanesProperties} has found, each in as few steps as it takes. */
class LanesTest {

  private final LanesModel model = new LanesModel(OnDead.BLOCK_KEY, 300, new ScriptedDispatcher());
  private final LanesScript script = new LanesScript(model, OnDead.BLOCK_KEY);

  @Test
  void deadEventWhoseAnswerWasLostHoldsUpItsAggregateAlsoBeforeItsBlockIsRead() {
    run(
        new Step(Kind.WRITE, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.ANSWER_LOST, 1),
        new Step(Kind.WRITE, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.ASK, 0),
        new Step(Kind.REFILL, 0));

    assertThat(model.violations()).isEmpty();
    assertThat(model.inHands(0)).isNull();
  }

  @Test
  void deadEventWhoseAnswerWasLostHoldsUpItsAggregateHoweverLongItsBlockCanNotBeRead() {
    run(
        new Step(Kind.WRITE, 0),
        new Step(Kind.WRITE, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.ANSWER_LOST, 1),
        new Step(Kind.TIME_PASSES_UNREAD, 3),
        new Step(Kind.REFILL, 0),
        new Step(Kind.TIME_PASSES_UNREAD, 3),
        new Step(Kind.REFILL, 0));

    assertThat(model.violations()).isEmpty();
    assertThat(model.inHands(0)).isNull();
  }

  @Test
  void deadEventThatWasCommittedAfterWhatBlocksWasReadHoldsUpItsAggregate() {
    run(
        new Step(Kind.WRITE, 0),
        new Step(Kind.WRITE, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.ANSWER_LATE, 1),
        new Step(Kind.READ_BLOCKS, 0),
        new Step(Kind.LATE_COMMIT, 0),
        new Step(Kind.TIME_PASSES_UNREAD, 3),
        new Step(Kind.REFILL, 0));

    assertThat(model.violations()).isEmpty();
    assertThat(model.inHands(0)).isNull();
  }

  @Test
  void deliveredEventWhoseAnswerWasLostHoldsUpItsAggregateUntilWhatBlocksIsRead() {
    run(
        new Step(Kind.WRITE, 0),
        new Step(Kind.WRITE, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.ANSWER_LOST, 0),
        new Step(Kind.TIME_PASSES_UNREAD, 3),
        new Step(Kind.REFILL, 0),
        new Step(Kind.READ_BLOCKS, 0));

    assertThat(model.violations()).isEmpty();
    assertThat(model.inHands(0).seq).isEqualTo(2);
  }

  @Test
  void eventWhoseListenerIsAwayIsHandedOverWhenItIsBackAndNotBefore() {
    run(
        new Step(Kind.LISTENER_AWAY, 1),
        new Step(Kind.WRITE, 0),
        new Step(Kind.WRITE, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.TIME_PASSES, 3),
        new Step(Kind.ASK, 0));
    assertThat(model.refill()).isFalse();
    assertThat(model.inHands(0)).isNull();
    assertThat(model.eventsInMemory()).isZero();

    run(new Step(Kind.LISTENER_BACK, 1), new Step(Kind.REFILL, 0));

    assertThat(model.violations()).isEmpty();
    assertThat(model.inHands(0).seq).isEqualTo(1);
  }

  @Test
  void eventBehindOneThatIsDiscardedWhileItsListenerIsAwayGoesOn() {
    run(
        new Step(Kind.LISTENER_AWAY, 1),
        new Step(Kind.WRITE, 0),
        new Step(Kind.WRITE, 0),
        new Step(Kind.READ, 0));
    model.table().pick(0, row -> row.seq == 1).status = EventStatus.DONE;

    run(new Step(Kind.ASK, 0), new Step(Kind.REFILL, 0));

    assertThat(model.violations()).isEmpty();
    assertThat(model.inHands(0).seq).isEqualTo(2);
  }

  @Test
  void eventCommittedLateGoesBeforeOneWhoseListenerIsAway() {
    run(
        new Step(Kind.LISTENER_AWAY, 0),
        new Step(Kind.WRITE_OPEN, 0),
        new Step(Kind.WRITE, 1),
        new Step(Kind.WRITE_WITHOUT_KEY, 1),
        new Step(Kind.WRITE, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.COMMIT, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.TIME_PASSES, 1),
        new Step(Kind.REFILL, 0));

    assertThat(model.violations()).isEmpty();
    assertThat(model.inHands(0).seq).isEqualTo(3);
    assertThat(model.inHands(1).seq).isEqualTo(1);
  }

  @Test
  void eventWhoseEndIsUnknownIsNotForgottenByAReadThatItEndedDuring() {
    run(
        new Step(Kind.WRITE_OPEN, 1),
        new Step(Kind.WRITE_OPEN, 0),
        new Step(Kind.WRITE, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.TIME_PASSES, 1),
        new Step(Kind.COMMIT, 1),
        new Step(Kind.READ, 0),
        new Step(Kind.START_REFILL, 0),
        new Step(Kind.UNWRITTEN, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.REFILL, 0));

    assertThat(model.violations()).isEmpty();
    script.deliverTheRest();
    assertThat(model.violations()).isEmpty();
  }

  @Test
  void aggregateThatWasPassedOverIsReadAgainAfterItsPartitionWasLost() {
    run(
        new Step(Kind.WRITE, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.DEFERRED, 4),
        new Step(Kind.WRITE_MANY, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.LOSE_SESSION, 0));

    script.deliverTheRest();

    assertThat(model.violations()).isEmpty();
  }

  @Test
  void aggregateIsReadAgainAlsoIfThatFailedTheFirstTime() {
    run(
        new Step(Kind.WRITE, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.UNWRITTEN, 0),
        new Step(Kind.TIME_PASSES, 3),
        new Step(Kind.READ, 0),
        new Step(Kind.START_REFILL, 0),
        new Step(Kind.READ_FAILS, 0));

    script.deliverTheRest();

    assertThat(model.violations()).isEmpty();
  }

  @Test
  void eventCommittedLateIsDeliveredFirstAlsoIfItsAggregateWasPassedOverMeanwhile() {
    run(
        new Step(Kind.WRITE_OPEN, 0),
        new Step(Kind.WRITE_MANY, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.COMMIT, 0),
        new Step(Kind.READ, 0),
        new Step(Kind.TIME_PASSES, 1),
        new Step(Kind.REFILL, 0));

    assertThat(model.violations()).isEmpty();
    assertThat(model.inHands(0).seq).isEqualTo(1);
  }

  private void run(Step... steps) {
    List.of(steps).forEach(script::run);
  }
}
