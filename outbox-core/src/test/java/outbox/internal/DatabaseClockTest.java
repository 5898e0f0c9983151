package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway") // the question needs no connection
class DatabaseClockTest {

  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");
  private static final Connection NONE = null;

  private final DatabaseClock clock = new DatabaseClock();
  private final AtomicInteger asked = new AtomicInteger();

  private Instant answer(Connection connection) {
    asked.incrementAndGet();
    return LONG_AGO;
  }

  private void failsWith(String state) throws SQLException {
    clock.align(
        NONE,
        connection -> {
          asked.incrementAndGet();
          throw new SQLException("x", state);
        });
  }

  @Test
  void goesOnFromWhatTheDatabaseSaid() throws Exception {
    clock.align(NONE, this::answer);

    assertThat(clock.instant()).isCloseTo(LONG_AGO, within(10, ChronoUnit.SECONDS));
    assertThat(clock.instant()).isBeforeOrEqualTo(DatabaseClock.latest(clock));
  }

  @Test
  void asksOnceInAWhile() throws Exception {
    for (int i = 0; i < 10; i++) {
      clock.align(NONE, this::answer);
    }

    assertThat(asked).hasValue(1);
  }

  @Test
  void asksAgainSoonIfTheAnswerTookLong() throws Exception {
    clock.align(
        NONE,
        connection -> {
          await().pollDelay(Duration.ofMillis(300)).until(() -> true);
          return answer(connection);
        });
    Duration doubt = Duration.between(clock.instant(), DatabaseClock.latest(clock));
    assertThat(doubt).isGreaterThan(Duration.ofMillis(250));

    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              clock.align(NONE, this::answer);
              assertThat(asked).hasValueGreaterThan(1);
              assertThat(Duration.between(clock.instant(), DatabaseClock.latest(clock)))
                  .isLessThan(doubt);
            });
  }

  @Test
  void questionThatFailsIsNotRepeatedWithEveryWrite() throws Exception {
    failsWith("25P02");
    failsWith("25P02");

    assertThat(asked).hasValue(1);
  }

  @Test
  void lostConnectionIsReportedAndTheQuestionAskedAgain() throws Exception {
    assertThatThrownBy(() -> failsWith("08006")).isInstanceOf(SQLException.class);

    clock.align(NONE, this::answer);

    assertThat(clock.instant()).isCloseTo(LONG_AGO, within(10, ChronoUnit.SECONDS));
  }
}
