package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import outbox.model.OutboxEvent;
import outbox.spi.Fetched;

class ScanTest {

  private static final Instant DUE = Instant.parse("2030-01-01T00:00:00Z");

  private final AtomicLong nanos = new AtomicLong();
  private final Scan scan = new Scan(nanos::get);

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

  /** At everything. */
  private void lookTwice(Duration time) {
    look(time, DUE);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(look(time, DUE)).isNull();
  }

  /** Returns where the poll started. */
  private Instant look(Duration time, Instant... dueTimes) {
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
