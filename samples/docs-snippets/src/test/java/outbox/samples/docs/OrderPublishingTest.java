package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import outbox.OutboxWriter;
import outbox.model.EventStatus;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.StubTxContext;

/** How an application tests what it writes, without a database. */
class OrderPublishingTest {

  // docs:begin test
  private final InMemoryOutboxStore store = new InMemoryOutboxStore();
  private final StubTxContext tx = new StubTxContext(store.connections());
  private final OutboxWriter writer = new OutboxWriter(tx, store);

  @Test
  void eventIsThereAfterTheCommit() {
    tx.inTransaction(() -> writer.write("OrderPlaced", "{\"orderId\":42}"));

    assertThat(store.count(EventStatus.NEW)).isOne();
  }

  @Test
  void eventIsGoneAfterARollback() {
    tx.begin();
    writer.write("OrderPlaced", "{\"orderId\":42}");
    tx.rollback();

    assertThat(store.count(EventStatus.NEW)).isZero();
  }
  // docs:end test
}
