package outbox.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.dispatch.QueuedEvent;
import outbox.model.EventKey;

class LaneTest {

  private final Lane lane = new Lane("a", new EventKey("A", "a"), 0);

  @Test
  void whatWasReadIsOfNoUseIfMoreIsMissingSince() {
    lane.missesFrom(5);
    lane.isAskedFor();
    assertThat(lane.isUntouched(List.of(), Set.of(3L))).isTrue();

    lane.missesFrom(3);

    assertThat(lane.isUntouched(List.of(), Set.of())).isFalse();
  }

  @Test
  void putsWhatCameLateInItsPlace() {
    lane.add(entry(7));
    lane.add(entry(5));
    lane.add(entry(6));

    assertThat(lane.start().seq()).isEqualTo(5);
    lane.stop();
    assertThat(lane.start().seq()).isEqualTo(6);
  }

  @Test
  void knowsWhatItHas() {
    lane.add(entry(5));
    lane.add(entry(7));
    lane.start();

    assertThat(lane.has(5)).isTrue();
    assertThat(lane.has(6)).isFalse();
    assertThat(lane.has(7)).isTrue();
  }

  @Test
  void leavesALongRowToTheDatabaseFromTheFirstItHasNoRoomForOn() {
    for (int seq = 1; seq <= Lane.MOST_ENTRIES; seq++) {
      assertThat(lane.takes(seq)).isTrue();
      lane.add(entry(seq));
    }

    assertThat(lane.takes(200)).isFalse();
    assertThat(lane.missingFrom()).isEqualTo(200);
    assertThat(lane.takes(201)).isFalse();
    assertThat(lane.missingFrom()).isEqualTo(200);
    assertThat(lane.takes(0)).isTrue();
  }

  @Test
  void whatIsForgottenIsMissing() {
    lane.add(entry(5));
    lane.add(entry(6));

    assertThat(lane.forget()).extracting(Entry::seq).containsExactly(5L, 6L);

    assertThat(lane.missingFrom()).isEqualTo(5);
    assertThat(lane.hasNext()).isFalse();
    assertThat(lane.isToBeRefilled()).isTrue();
  }

  @Test
  void deliversNothingBehindWhatIsMissing() {
    lane.add(entry(7));
    lane.missesFrom(6);

    assertThat(lane.hasNext()).isFalse();
  }

  @Test
  void takesNothingWhileItIsBlockedAndReadsTheDeadEventAgainAfterIt() {
    lane.block(new Lane.Block("dead", 4, 0, 0));

    assertThat(lane.takes(5)).isFalse();
    assertThat(lane.isToBeRefilled()).isFalse();

    lane.unblock();

    assertThat(lane.missingFrom()).isEqualTo(4);
    assertThat(lane.isToBeRefilled()).isTrue();
  }

  @Test
  void isIdleOnlyWithNothingToRemember() {
    assertThat(lane.isIdle()).isTrue();

    lane.add(entry(1));
    lane.start();
    assertThat(lane.isIdle()).isFalse();

    lane.stop();
    assertThat(lane.isIdle()).isTrue();

    lane.missesFrom(3);
    assertThat(lane.isIdle()).isFalse();
  }

  private static Entry entry(long seq) {
    EventEnvelope event = EventEnvelope.ofJson("T", "{}");
    return new Entry(
        seq,
        new QueuedEvent(event, QueuedEvent.Source.COLD, 0),
        Instant.EPOCH,
        Instant.EPOCH,
        null);
  }
}
