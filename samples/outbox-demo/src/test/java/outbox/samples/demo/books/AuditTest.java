package outbox.samples.demo.books;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.samples.demo.shop.Order;
import outbox.samples.demo.shop.Shop;

class AuditTest {

  private Shop shop;
  private Order order;

  @BeforeEach
  void sellOne() throws SQLException {
    shop = new Shop();
    order = shop.nextOrder();
    shop.checkout().place(order);
    shop.checkout().placeDeclined(shop.nextOrder());
    await().atMost(Duration.ofMinutes(1)).until(() -> books().balance());
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void countsWhatHappened() throws SQLException {
    assertThat(books())
        .isEqualTo(
            new Books(1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, new Books.Findings(0, 0, 0, 0, 0, 0)));
  }

  @Test
  void findsAnEventThatIsNotDone() throws SQLException {
    execute("UPDATE outbox_event SET status = 3");

    assertThat(books().findings().notDone()).isEqualTo(1);
    assertThat(books().balance()).isFalse();
  }

  @Test
  void findsAnEventThatIsGone() throws SQLException {
    execute("DELETE FROM outbox_event");

    assertThat(books().findings()).isEqualTo(new Books.Findings(0, 1, 0, 0, 1, 0));
    assertThat(books().balance()).isFalse();
  }

  @Test
  void findsAnOrderThatIsGone() throws SQLException {
    execute("DELETE FROM orders");

    assertThat(books().findings()).isEqualTo(new Books.Findings(1, 0, 1, 0, 0, 0));
    assertThat(books().balance()).isFalse();
  }

  @Test
  void findsALostEvent() throws SQLException {
    execute(
        """
        INSERT INTO outbox_event (event_id, event_type, aggregate_type, aggregate_id, payload,
          status, attempts, available_at, created_at)
        SELECT 'lost', event_type, aggregate_type, aggregate_id, payload,
          status, attempts, available_at, created_at FROM outbox_event
        """);

    assertThat(books().lost()).isEqualTo(1);
    assertThat(books().balance()).isFalse();
  }

  @Test
  void findsADuplicateAndADeliveryOfNoEvent() throws SQLException {
    EventEnvelope unknown = order.placed();
    shop.ledger().delivered(unknown, 0);
    shop.ledger().delivered(unknown, 0);

    assertThat(books().duplicates()).isEqualTo(1);
    assertThat(books().findings().deliveredWithoutRow()).isEqualTo(1);
    assertThat(books().balance()).isFalse();
  }

  private Books books() throws SQLException {
    return new Audit(shop.dataSource(), shop.ledger(), shop.counters()).close(0);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = shop.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
