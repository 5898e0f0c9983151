package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import outbox.model.OutboxEvent;
import outbox.spi.Fetched;

class ScanTest {

  private static final Instant DUE = Instant.parse("2030-01-01T00:00:00Z");

  private final AtomicLong nanos = new AtomicLong();
  private final Scan scan = new Scan(nanos::get, false, Duration.ZERO);
  private final Scan claims = new Scan(nanos::get, true, Duration.ZERO);

  @Test
  void firstPollLooksAtEverything() {
    assertThat(scan.start()).isNull();
  }

  @Test
  void rowOfPollsGoesOnWhereTheLastOneFoundItsFirst() {
    look(Duration.ofMillis(1), DUE, DUE.plusSeconds(1));

    assertThat(look(Duration.ofMillis(1), DUE.plusSeconds(2))).isEqualTo(DUE);
    assertThat(scan.start()).isEqualTo(DUE.plusSeconds(2));
  }

  @Test
  void everythingIsLookedAtAgainAfterASecond() {
    look(Duration.ofMillis(1), DUE);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());

    assertThat(scan.start()).isNull();
  }

  @Test
  void newRowLooksAtEverythingWhileThatIsCheap() {
    look(Duration.ofMillis(49), DUE);

    scan.begin();

    assertThat(scan.start()).isNull();
  }

  @Test
  void oneLookThatHadToWaitMakesNothingExpensive() {
    look(Duration.ofMillis(1), DUE);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    look(Duration.ofSeconds(10), DUE);

    scan.begin();

    assertThat(scan.start()).isNull();
  }

  @Test
  void firstLookOfAProcessMakesNothingExpensive() {
    look(Duration.ofMillis(600), DUE);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());

    assertThat(scan.start()).isNull();
  }

  @Test
  void everythingIsLookedAtEveryThirtySecondsHoweverExpensiveThatIs() {
    lookTwice(Duration.ofSeconds(10));

    nanos.addAndGet(Duration.ofSeconds(30).toNanos());

    assertThat(scan.start()).isNull();
  }

  @Test
  void newRowStartsShortlyBeforeTheLastWhileALookAtEverythingIsExpensive() {
    lookTwice(Duration.ofMillis(300));
    scan.begin();
    assertThat(look(Duration.ofMillis(1))).isEqualTo(DUE.minusSeconds(2));
    scan.begin();
    assertThat(look(Duration.ofMillis(1))).isEqualTo(DUE.minusSeconds(2));

    nanos.addAndGet(Duration.ofSeconds(6).toNanos());
    scan.begin();

    assertThat(look(Duration.ofMillis(1))).isNull();
    scan.begin();
    assertThat(scan.start()).as("cheap again").isNull();
  }

  @Test
  void pollThatFollowsTheLastOfARowGoesBackALittleAndLeavesEverythingToOneInASecond() {
    look(Duration.ofMillis(1), DUE);
    scan.goOn();
    assertThat(look(Duration.ofMillis(1), DUE.plusSeconds(5))).isEqualTo(DUE.minusSeconds(2));
    scan.goOn();
    assertThat(look(Duration.ofMillis(1))).isEqualTo(DUE.plusSeconds(3));

    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    scan.goOn();

    assertThat(look(Duration.ofMillis(1))).isNull();
  }

  @Test
  void pollThatIsAskedForLooksAtEverythingThoughItWouldHaveFollowed() {
    look(Duration.ofMillis(1), DUE);
    scan.goOn();

    scan.begin();

    assertThat(scan.start()).isNull();
  }

  @Test
  void startingOverLooksAtEverythingWhateverThatCosts() {
    lookTwice(Duration.ofMillis(300));

    scan.startOver();

    assertThat(scan.start()).isNull();
  }

  @Test
  void rowOfClaimsGoesOnWhereTheLastOneFoundItsLast() {
    claim(DUE, DUE.plusSeconds(4));

    assertThat(claim(DUE.plusSeconds(5), DUE.plusSeconds(9))).isEqualTo(DUE.plusSeconds(4));
    assertThat(claims.start()).isEqualTo(DUE.plusSeconds(9));
    assertThat(claims.hasLeapt()).isFalse();
  }

  @Test
  void claimLeapsAheadWhereTheLastOneHadToPassOverWhatOthersTook() {
    claim(DUE, DUE.plusSeconds(4));
    claim(DUE.plusSeconds(8), DUE.plusSeconds(12));

    assertThat(claim(DUE.plusSeconds(44), DUE.plusSeconds(48))).isEqualTo(DUE.plusSeconds(44));
    assertThat(claims.hasLeapt()).isTrue();
    assertThat(claims.start()).as("a stretch of its own").isEqualTo(DUE.plusSeconds(48));
    assertThat(claims.hasLeapt()).as("until everything is looked at").isTrue();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(claims.start()).isNull();
    assertThat(claims.hasLeapt()).isFalse();
  }

  @Test
  void whoLeaptTooFarLooksAtEverythingAndDoesNotLeapForASecond() {
    claim(DUE, DUE.plusSeconds(4));
    claim(DUE.plusSeconds(8), DUE.plusSeconds(12));

    claims.leaptTooFar();

    assertThat(claim(DUE.plusSeconds(12), DUE.plusSeconds(16))).isNull();
    claim(DUE.plusSeconds(20), DUE.plusSeconds(24));
    assertThat(claims.start()).isEqualTo(DUE.plusSeconds(24));
    assertThat(claims.hasLeapt()).isFalse();
  }

  @Test
  void pollGoesBackFurtherWhereEventsAreLeftAloneForAWhile() {
    Scan patient = new Scan(nanos::get, true, Duration.ofSeconds(5));
    look(patient, Duration.ofMillis(1), DUE);

    patient.goOn();

    assertThat(patient.start()).isEqualTo(DUE.minusSeconds(7));
  }

  @Test
  void leapLastsADayAtTheMost() {
    Instant ages = DUE.plus(Duration.ofDays(100_000));
    claim(DUE, DUE);
    claim(DUE.plus(Duration.ofDays(50_000)), ages);

    assertThat(claims.start()).isEqualTo(ages.plus(Duration.ofDays(1)));
  }

  @Test
  void pollThatGoesBackDoesNotLeap() {
    claim(DUE, DUE.plusSeconds(4));
    claim(DUE.plusSeconds(8), DUE.plusSeconds(12));

    claims.goOn();

    assertThat(claims.start()).isEqualTo(DUE.plusSeconds(10));
    assertThat(claims.hasLeapt()).isFalse();
  }

  @Test
  void nothingLeapsWhileALookAtEverythingIsExpensive() {
    look(claims, Duration.ofMillis(300), DUE);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    look(claims, Duration.ofMillis(300), DUE, DUE.plusSeconds(4));

    claim(DUE.plusSeconds(8), DUE.plusSeconds(12));

    assertThat(claims.start()).isEqualTo(DUE.plusSeconds(12));
  }

  @Test
  void fewEventsApartAreNobodysDoing() {
    claim(DUE, DUE.plusSeconds(4));
    look(claims, Duration.ofMillis(1), DUE.plusSeconds(8), DUE.plusSeconds(12));

    assertThat(claims.start()).isEqualTo(DUE.plusSeconds(12));
  }

  /** As many as tell that others are at work, if these had to be passed over. */
  private Instant claim(Instant first, Instant last) {
    Instant[] dueTimes = new Instant[100];
    Arrays.fill(dueTimes, last);
    dueTimes[0] = first;
    return look(claims, Duration.ofMillis(1), dueTimes);
  }

  /** At everything. */
  private void lookTwice(Duration time) {
    look(time, DUE);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(look(time, DUE)).isNull();
  }

  private Instant look(Duration time, Instant... dueTimes) {
    return look(scan, time, dueTimes);
  }

  /** Returns where the poll started. */
  private Instant look(Scan scan, Duration time, Instant... dueTimes) {
    Instant start = scan.start();
    nanos.addAndGet(time.toNanos());
    scan.fetched(
        List.of(dueTimes).stream()
            .map(
                due ->
                    new Fetched(
                        new OutboxEvent("id", "T", null, null, null, "{}", null, 0, due),
                        due,
                        false))
            .toList());
    return start;
  }
}
