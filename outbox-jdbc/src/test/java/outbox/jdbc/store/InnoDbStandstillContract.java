package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
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
