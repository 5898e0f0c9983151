package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.spi.Backlog;

/** What is counted of events that have not been delivered. */
abstract class StoreBacklogContract extends StoreDeadContract {

  @Test
  void anEmptyTableHasNoBacklog() {
    session.markDone(session.insert("T"));

    Backlog backlog = backlog(10);

    assertThat(backlog).isEqualTo(new Backlog(0, 0, 0, 0, null, backlog.readAt()));
    assertThat(backlog.oldestAge()).isZero();
  }

  @Test
  void theBacklogIsCountedByWhatBecameOfEvents() {
    session.insert("New");
    session.markRetry(session.insert("Retried"), StoreSession.now().plusSeconds(60), "e");
    session.markDone(session.insert("Done"));
    session.insertDead(EventEnvelope.ofJson("Dead", "{}"));
    session.insertDead(EventEnvelope.ofJson("Dead", "{}"));
    session.claim("node-1", StoreSession.soon(), 1);

    Backlog backlog = backlog(10);

    assertThat(backlog.pending()).isEqualTo(2);
    assertThat(backlog.retrying()).isEqualTo(1);
    assertThat(backlog.locked()).isEqualTo(1);
    assertThat(backlog.dead()).isEqualTo(2);
  }

  @Test
  void countsStopAtTheLimit() {
    IntStream.range(0, 4)
        .forEach(
            i -> {
              session.insert("T");
              session.markRetry(session.insert("T"), StoreSession.now(), "e");
              session.insertDead(EventEnvelope.ofJson("T", "{}"));
            });

    Backlog backlog = backlog(3);

    assertThat(backlog.pending()).isEqualTo(3);
    assertThat(backlog.retrying()).isPositive();
    assertThat(backlog.dead()).isEqualTo(3);
    assertThat(backlog(8).pending()).isEqualTo(8);
  }

  @Test
  void theOldestIsLateSinceItFellDueOrWasWrittenIfItFailed() {
    Instant later = StoreSession.now().plus(Duration.ofHours(1));
    session.insert(EventEnvelope.builder("Held").payloadJson("{}").availableAt(later).build());
    assertThat(backlog(10).oldestAge()).isZero();

    EventEnvelope failed = session.insert("Failed");
    session.markRetry(failed, later, "e");

    assertThat(backlog(10).lateSince()).isEqualTo(session.row(failed).event().createdAt());
    assertThat(backlog(10).oldestAge()).isLessThan(StoreSession.SLACK);
  }

  @Test
  void aLimitThatCountsNothingIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> backlog(0)).withMessageContaining("0");
  }

  private Backlog backlog(int atMost) {
    return session.call(connection -> session.store().backlog(connection, atMost));
  }
}
