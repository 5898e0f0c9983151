package outbox.faults.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import outbox.faults.history.Entry.Event;
import outbox.faults.history.History;

/** A judge who overlooks nothing, and condemns nobody for what is allowed. */
class CheckerTest {

  private static final int DONE = 1;
  private static final int RETRY = 2;
  private static final int DEAD = 3;

  private final Map<String, List<String>> processes = new HashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private long nanos;

  @Test
  void runWithoutFaultsPassesEveryCheck() {
    writes(1, "commit");
    writes(2, "commit");
    delivers("x", 1, 1);
    delivers("x", 2, 1);
    row(1, DONE);
    row(2, DONE);

    checker()
        .nothingPurged()
        .nothingLost()
        .nothingInvented()
        .nothingPending()
        .nothingDead()
        .inOrder()
        .noRepeats()
        .zombiesOnlyOf(Map.of(), 4)
        .conserved(Map.of("a", 2));
  }

  @Test
  void eventThatEndedWithoutDeliveryIsLost() {
    writes(1, "commit");
    row(1, DONE);

    assertFails(() -> checker().nothingLost());
  }

  @Test
  void committedEventThatIsNowhereIsLost() {
    writes(1, "commit");

    assertFails(() -> checker().nothingLost());
    assertFails(() -> checker().nothingPurged());
  }

  @Test
  void deliveryThatFailedIsNone() {
    writes(1, "commit");
    call("x", 1, 1, false);
    row(1, DONE);

    assertFails(() -> checker().nothingLost());
  }

  @Test
  void eventOfACommitThatNobodyHeardOfIsNeitherLostNorInvented() {
    writes(1, null);
    writes(2, null);
    delivers("x", 1, 1);
    row(1, DONE);

    checker().nothingLost().nothingInvented().conserved(Map.of("a", 1));
  }

  @Test
  void eventThatNobodyWroteIsInvented() {
    delivers("x", 1, 1);

    assertFails(() -> checker().nothingInvented());
    row(1, DONE);
    assertFails(() -> checker().nothingInvented());
  }

  @Test
  void eventThatWasTakenBackIsInvented() {
    writes(1, "rollback");
    delivers("x", 1, 1);
    row(1, DONE);

    assertFails(() -> checker().nothingInvented());
  }

  @Test
  void eventThatChangedOnItsWayIsInvented() {
    writes(1, "commit");
    row(1, DONE);
    line("x", "begin 1 e1 b 1 1 1");
    line("x", "end 1 true");

    assertFails(() -> checker().nothingInvented());
  }

  @Test
  void countsOfTheBusinessAndOfTheTableAreTheSame() {
    writes(1, "commit");
    row(1, RETRY);

    checker().conserved(Map.of("a", 1));
    assertFails(() -> checker().conserved(Map.of("a", 2)));
    assertFails(() -> checker().conserved(Map.of()));
    assertFails(() -> checker().nothingPending());
  }

  @Test
  void deadEventsAreExactlyThoseThatShouldBe() {
    writes(1, "commit");
    writes(2, "commit");
    row(1, DEAD);
    row(2, RETRY);

    checker().deadAre(event -> event.version() == 1);
    assertFails(() -> checker().nothingDead());
    assertFails(() -> checker().deadAre(event -> true));
  }

  @Test
  void whatComesAgainIsItsFirstProcessesDoing() {
    writes(1, "commit");
    delivers("x", 1, 1);
    delivers("y", 1, 2);
    row(1, DONE);

    checker().repeatsOnlyOf(Map.of("x", 1), 1).inOrder();
    assertFails(() -> checker().noRepeats());
    assertFails(() -> checker().repeatsOnlyOf(Map.of("y", 1), 1));
    assertFails(() -> checker().repeatsOnlyOf(Map.of("x", 1), 0));
  }

  @Test
  void repeatsHaveTheirTime() {
    delivers("x", 1, 1);
    delivers("y", 1, 2);

    checker().repeatsOnlyBetween(1, 1);
    assertFails(() -> checker().repeatsOnlyBetween(2, 9));
    assertFails(() -> checker().repeatsOnlyBetween(-1, 0));
  }

  @Test
  void onlyWhatALostProcessHadInItsHandsMayComeAgain() {
    writes(1, "commit");
    delivers("x", 1, 1);
    delivers("y", 1, 2);
    row(1, DONE);

    checker().repeatsOnlyAmong(Map.of("x", Set.of("e1")));
    assertFails(() -> checker().repeatsOnlyAmong(Map.of("x", Set.of("e2"))));
    assertFails(() -> checker().repeatsOnlyAmong(Map.of("y", Set.of("e1"))));
    assertFails(() -> checker().repeatsOnlyAmong(Map.of()));
  }

  @Test
  void leaseThatWasLostByItselfIsNoExcuse() {
    writes(1, "commit");
    delivers("x", 1, 1);
    line("x", "lost");
    delivers("y", 1, 2);
    row(1, DONE);

    assertFails(() -> checker().repeatsOnlyOf(Map.of(), 1));
    assertFails(() -> checker().repeatsOnlyOf(Map.of("y", 1), 1));
    assertFails(() -> checker().repeatsOnlyAmong(Map.of()));
    assertFails(() -> checker().repeatsOnlyFor(new Excuses()));
  }

  @Test
  void workersOfAProcessThatStoodStillMayBeginLate() {
    delivers("x", 1, 1);
    delivers("x", 2, 1);
    delivers("y", 1, 1);
    delivers("y", 2, 1);

    checker().repeatsOnlyFor(new Excuses().stoodStill("y", 1).stoodStill("y", 1));
    assertFails(() -> checker().repeatsOnlyFor(new Excuses().stoodStill("y", 1)));
    assertFails(() -> checker().repeatsOnlyFor(new Excuses().stoodStill("x", 2)));
  }

  @Test
  void leaseThatWasLostByItselfMakesNoZombie() {
    line("x", "begin 1 e1 a 1 1 1");
    line("x", "lost");
    line("y", "begin 1 e1 a 1 1 2");
    line("x", "end 1 true");

    assertFails(() -> checker().zombiesOnlyOf(Map.of(), 4));
  }

  @Test
  void whatSeveralDisturbancesLeftInTheHandsOfAProcessMayComeAgain() {
    delivers("x", 1, 1);
    delivers("x", 2, 1);
    delivers("y", 1, 2);
    delivers("y", 2, 2);
    Excuses first = new Excuses().inHands("x", Set.of("e1"));

    assertFails(() -> checker().repeatsOnlyFor(first));
    checker().repeatsOnlyFor(first.inHands("x", Set.of("e2")));
  }

  @Test
  void outageExcusesWhatItsProcessesBeganMeanwhileUpToItsBound() {
    delivers("x", 1, 1);
    delivers("x", 2, 1);
    delivers("y", 1, 2);
    delivers("y", 2, 2);

    checker().repeatsOnlyFor(new Excuses().outage(Set.of("x"), 1, 3, 2));
    assertFails(() -> checker().repeatsOnlyFor(new Excuses().outage(Set.of("x"), 1, 3, 1)));
    assertFails(() -> checker().repeatsOnlyFor(new Excuses().outage(Set.of("x"), 1, 2, 2)));
    assertFails(() -> checker().repeatsOnlyFor(new Excuses().outage(Set.of("x"), 2, 3, 2)));
    assertFails(() -> checker().repeatsOnlyFor(new Excuses().outage(Set.of("y"), 1, 3, 2)));
  }

  @Test
  void outagesThatOverlapExcuseNoMoreThanTheyMayTogether() {
    delivers("x", 1, 1);
    delivers("x", 2, 1);
    delivers("y", 1, 2);
    delivers("y", 2, 2);
    Set<String> both = Set.of("x", "y");

    checker().repeatsOnlyFor(new Excuses().outage(both, 1, 2, 1).outage(both, 1, 3, 1));
    assertFails(
        () -> checker().repeatsOnlyFor(new Excuses().outage(both, 1, 2, 1).outage(both, 1, 2, 1)));
    assertFails(
        () -> checker().repeatsOnlyFor(new Excuses().outage(both, 1, 3, 1).outage(both, 4, 9, 1)));
  }

  @Test
  void payloadThatWasCutShortIsInvented() {
    line("w", "write 1 e1 a 1/20/aaaaaaaa");
    line("w", "commit 1");
    rows.add(new Row(new Event("e1", "a", 1, "20/aaaaaaaa"), DONE, 1));
    checker().nothingInvented();

    line("x", "begin 1 e1 a 1/10/bbbbbbbb 1 1");
    line("x", "end 1 true");

    assertFails(() -> checker().nothingInvented());
  }

  @Test
  void payloadThatTheTableHasOtherwiseIsInvented() {
    line("w", "write 1 e1 a 1/20/aaaaaaaa");
    line("w", "commit 1");
    rows.add(new Row(new Event("e1", "a", 1, "20/bbbbbbbb"), DONE, 1));

    assertFails(() -> checker().nothingInvented());
  }

  @Test
  void timeToConvergeIsThatOfWhatWasCommittedBefore() {
    writes(1, "commit");
    long fault = nanos;
    nanos += Duration.ofSeconds(3).toNanos();
    delivers("x", 1, 1);
    writes(2, "commit");
    nanos += Duration.ofSeconds(30).toNanos();
    delivers("x", 2, 1);
    row(1, DONE);
    row(2, DONE);

    assertThat(checker().lag(fault).toSeconds()).isEqualTo(3);
    assertThat(checker().slowest().toSeconds()).isEqualTo(30);
    checker().deliveredWithin(Duration.ofSeconds(4), fault);
    assertFails(() -> checker().deliveredWithin(Duration.ofSeconds(2), fault));
  }

  @Test
  void eventBeforeTheOneInFrontOfItIsOutOfOrder() {
    delivers("x", 2, 1);

    assertFails(() -> checker().inOrder());
  }

  @Test
  void eventBehindOneThatFailedIsOutOfOrder() {
    call("x", 1, 1, false);
    delivers("x", 2, 1);

    assertFails(() -> checker().inOrder());
  }

  @Test
  void eventThatComesBackAfterTheNextOneIsOutOfOrder() {
    delivers("x", 1, 1);
    delivers("x", 2, 1);
    delivers("y", 1, 2);

    assertFails(() -> checker().inOrder());
  }

  @Test
  void ownerDeliversAnEventOnce() {
    delivers("x", 1, 1);
    delivers("x", 1, 1);

    assertFails(() -> checker().inOrder());
  }

  @Test
  void ownerHasOneEventOfAKeyAtATime() {
    line("x", "begin 1 e1 a 1 1 1");
    line("x", "begin 2 e1 a 1 1 1");

    assertFails(() -> checker().inOrder());
  }

  @Test
  void whatAZombieDoesIsLeftOutAndCounted() {
    line("x", "begin 1 e1 a 1 1 1");
    line("y", "begin 1 e1 a 1 1 2");
    line("x", "end 1 true");
    line("y", "end 1 true");
    delivers("y", 2, 2);
    delivers("x", 1, 1);

    checker().inOrder().zombiesOnlyOf(Map.of("x", 1), 2);
    assertThat(checker().zombies()).isEqualTo(2);
    assertFails(() -> checker().zombiesOnlyOf(Map.of("x", 1), 1));
    assertFails(() -> checker().zombiesOnlyOf(Map.of("y", 1), 2));
  }

  @Test
  void successOfAZombieIsNoReasonToGoOn() {
    line("x", "begin 1 e1 a 1 1 1");
    line("y", "begin 1 e1 a 1 1 2");
    line("x", "end 1 true");
    delivers("y", 2, 2);

    assertFails(() -> checker().inOrder());
  }

  private Checker checker() {
    return new Checker(History.parse(processes), rows);
  }

  private static void assertFails(ThrowingCallable check) {
    assertThatThrownBy(check).isInstanceOf(AssertionError.class);
  }

  /** A transaction with the event of this version, and how it ended if its writer knows. */
  private void writes(int version, String end) {
    line("w", "write %d e%d a %d".formatted(version, version, version));
    if (end != null) {
      line("w", end + " " + version);
    }
  }

  private void delivers(String process, int version, int epoch) {
    call(process, version, epoch, true);
  }

  private void call(String process, int version, int epoch, boolean succeeds) {
    int call = 100 + processes.getOrDefault(process, List.of()).size();
    line(process, "begin %d e%d a %d %d %d".formatted(call, version, version, version, epoch));
    line(process, "end %d %s".formatted(call, succeeds));
  }

  private void line(String process, String text) {
    processes.computeIfAbsent(process, name -> new ArrayList<>()).add(++nanos + " " + text);
  }

  private void row(int version, int status) {
    rows.add(new Row(new Event("e" + version, "a", version), status, 1));
  }
}
