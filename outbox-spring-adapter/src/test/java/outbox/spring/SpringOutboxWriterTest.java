package outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NESTED;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.testing.RecordingWriterHook;
import outbox.testing.RecordingWriterHook.Step;

/** Writer, store and Spring together: an event exists if and only if its transaction committed. */
class SpringOutboxWriterTest {

  private final TestDatabase database = new TestDatabase();
  private final TestDatabase other = new TestDatabase();
  private final RecordingWriterHook hook = new RecordingWriterHook();
  private final OutboxWriter writer =
      new OutboxWriter(new SpringTxContext(database.dataSource()), new H2OutboxStore(), hook);
  private final JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());

  @BeforeEach
  void createTable() {
    OutboxSchema.of("h2").apply(database.dataSource());
  }

  @AfterEach
  void close() {
    database.close();
    other.close();
  }

  @Test
  void anEventCommitsWithTheBusinessRow() {
    String id =
        database
            .transaction()
            .execute(
                status -> {
                  jdbc.update("INSERT INTO note VALUES ('order')");
                  return writer.write("OrderPlaced", "{}");
                });

    assertThat(database.committedNotes()).containsExactly("order");
    assertThat(eventIds()).containsExactly(id);
    assertThat(hookSaw(Step.AFTER_COMMIT)).containsExactly(id);
  }

  @Test
  void anEventRollsBackWithTheBusinessRow() {
    String id =
        database
            .transaction()
            .execute(
                status -> {
                  jdbc.update("INSERT INTO note VALUES ('order')");
                  status.setRollbackOnly();
                  return writer.write("OrderPlaced", "{}");
                });

    assertThat(database.committedNotes()).isEmpty();
    assertThat(eventIds()).isEmpty();
    assertThat(hookSaw(Step.AFTER_COMMIT)).isEmpty();
    assertThat(hookSaw(Step.AFTER_ROLLBACK)).containsExactly(id);
  }

  @Test
  void anEventWhoseSavepointWasRolledBackIsNotHandedOver() {
    String kept =
        database
            .transaction()
            .execute(
                outer -> {
                  database
                      .transaction(PROPAGATION_NESTED)
                      .executeWithoutResult(
                          nested -> {
                            writer.write("OrderPlaced", "{}");
                            nested.setRollbackOnly();
                          });
                  return writer.write("OrderRejected", "{}");
                });

    assertThat(eventIds()).containsExactly(kept);
    assertThat(hookSaw(Step.AFTER_COMMIT)).containsExactly(kept);
  }

  @Test
  void nothingIsWrittenInATransactionOfAnotherDataSource() {
    other
        .transaction()
        .executeWithoutResult(
            status ->
                assertThatIllegalStateException()
                    .isThrownBy(() -> writer.write("OrderPlaced", "{}"))
                    .withMessageContaining("use the transaction manager of that DataSource"));

    assertThat(eventIds()).isEmpty();
    assertThat(hook.calls()).isEmpty();
  }

  private List<String> eventIds() {
    return jdbc.queryForList("SELECT event_id FROM outbox_event", String.class);
  }

  private List<String> hookSaw(Step step) {
    return hook.calls().stream()
        .filter(call -> call.step() == step)
        .flatMap(call -> call.events().stream())
        .map(EventEnvelope::eventId)
        .toList();
  }
}
