package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import outbox.jdbc.JdbcTemplate;
import outbox.model.OutboxEvent;

/** Where a claim is a transaction of several statements, and the limit a setting of the session. */
abstract class InnoDbStandstillContract extends StandstillContract {

  @Test
  void claimThatIsNeverCommittedIsRolledBackBeforeItsLeaseWouldHaveEnded() throws Exception {
    Future<List<OutboxEvent>> frozen = thread.submit(() -> claim(standingStill(), "frozen"));
    standsStill.await();

    await().atMost(PATIENCE).until(() -> claim("other").size() == 1);

    goesOn.countDown();
    assertThatThrownBy(frozen::get).hasMessageContaining("claim events for frozen");
  }

  /** If this fails, InnoDB has got better, and a claim needs no limit of its own. */
  @Test
  void claimKeepsLocksOfOthersRowsThatItPassesOver() throws Exception {
    OutboxEvent others = claim("other").get(0);
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      assertThat(claim(connection, "n")).isEmpty();

      assertThat(isLocked(others)).isTrue();
      connection.rollback();
      assertThat(isLocked(others)).isFalse();
    }
  }

  @Test
  void nodeThatStandsStillInAClaimHoldsUpOneRenewalOfOthersAtMost() {
    Duration lease = Duration.ofSeconds(60);

    assertThat(Standstill.patienceWithOthersRows(lease)).isLessThan(lease.dividedBy(3));
    assertThat(Standstill.patienceWithOthersRows(Duration.ofSeconds(3)))
        .isEqualTo(Duration.ofSeconds(1));
  }

  private boolean isLocked(OutboxEvent event) throws SQLException {
    String sql = "SELECT event_id FROM outbox_event WHERE event_id = ? FOR UPDATE SKIP LOCKED";
    try (Connection connection = database.dataSource().getConnection()) {
      return JdbcTemplate.query(connection, sql, row -> row.getString(1), event.eventId())
          .isEmpty();
    }
  }

  @Test
  void connectionIsAsItWasAfterwards() throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      JdbcTemplate.update(connection, "SET SESSION wait_timeout = 1234");

      assertThat(claim(connection, "n")).hasSize(1);

      assertThat(JdbcTemplate.query(connection, "SELECT @@wait_timeout", row -> row.getInt(1)))
          .containsExactly(1234);
    }
  }
}
