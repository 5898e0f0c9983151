package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import outbox.spi.TxContext;

/** What every {@link TxContext} promises about the transaction of the calling thread. */
public abstract class TxContextContract {

  private final List<String> calls = new ArrayList<>();

  /** The context under test; always the same one within a test. */
  protected abstract TxContext txContext();

  /** Begins a transaction on the calling thread. */
  protected abstract void begin() throws Exception;

  protected abstract void commit() throws Exception;

  protected abstract void rollback() throws Exception;

  /** Sets a savepoint in the way of the framework; by default on the connection. */
  protected Object setSavepoint() throws Exception {
    return txContext().currentConnection().setSavepoint();
  }

  protected void rollbackTo(Object savepoint) throws Exception {
    txContext().currentConnection().rollback((Savepoint) savepoint);
  }

  protected void release(Object savepoint) throws Exception {
    txContext().currentConnection().releaseSavepoint((Savepoint) savepoint);
  }

  @Test
  void transactionIsActiveFromBeginToCommit() throws Exception {
    assertThat(txContext().isTransactionActive()).isFalse();

    begin();
    assertThat(txContext().isTransactionActive()).isTrue();

    commit();
    assertThat(txContext().isTransactionActive()).isFalse();
  }

  @Test
  void transactionIsActiveFromBeginToRollback() throws Exception {
    begin();
    assertThat(txContext().isTransactionActive()).isTrue();

    rollback();

    assertThat(txContext().isTransactionActive()).isFalse();
  }

  @Test
  void nothingIsPossibleWithoutATransaction() {
    assertThatThrownBy(() -> txContext().currentConnection())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> txContext().afterCommit(() -> {}))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> txContext().afterRollback(() -> {}))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void connectionIsTheSameThroughoutTheTransaction() throws Exception {
    begin();

    assertThat(txContext().currentConnection()).isSameAs(txContext().currentConnection());

    rollback();
  }

  @Test
  void connectionIsUnderTheTransactionsControl() throws Exception {
    begin();

    assertThat(txContext().currentConnection().getAutoCommit()).isFalse();

    rollback();
  }

  @Test
  void commitRunsCommitCallbacksOnceInOrder() throws Exception {
    begin();
    register("first");
    register("second");
    assertThat(calls).isEmpty();

    commit();

    assertThat(calls).containsExactly("first committed", "second committed");
  }

  @Test
  void rollbackRunsRollbackCallbacksOnceInOrder() throws Exception {
    begin();
    register("first");
    register("second");
    assertThat(calls).isEmpty();

    rollback();

    assertThat(calls).containsExactly("first rolled back", "second rolled back");
  }

  @Test
  void callbacksBelongToOneTransactionOnly() throws Exception {
    begin();
    register("first");
    commit();

    begin();
    register("second");
    rollback();
    begin();
    commit();

    assertThat(calls).containsExactly("first committed", "second rolled back");
  }

  @Test
  void callbackThatRegistersAnotherStopsNothing() throws Exception {
    begin();
    txContext()
        .afterCommit(
            () -> {
              calls.add("first");
              try {
                txContext().afterCommit(() -> {});
              } catch (IllegalStateException tooLate) {
                calls.add("refused");
              }
            });
    txContext().afterCommit(() -> calls.add("last"));

    commit();

    assertThat(calls).startsWith("first").endsWith("last").hasSizeBetween(2, 3);
  }

  @Test
  void otherThreadsAreNotInTheTransaction() throws Exception {
    begin();

    boolean elsewhere =
        CompletableFuture.supplyAsync(() -> txContext().isTransactionActive()).get();

    assertThat(elsewhere).isFalse();
    rollback();
  }

  @Test
  void rollbackToASavepointTakesBackWhatWasRegisteredSince() throws Exception {
    begin();
    register("before");
    Object savepoint = setSavepoint();
    register("since");

    rollbackTo(savepoint);
    register("after");
    assertThat(calls).isEmpty();
    commit();

    assertThat(calls).containsExactly("before committed", "since rolled back", "after committed");
  }

  @Test
  void savepointMayComeBeforeEverything() throws Exception {
    begin();
    Object savepoint = setSavepoint();
    register("since");

    rollbackTo(savepoint);
    commit();

    assertThat(calls).containsExactly("since rolled back");
  }

  @Test
  void sameSavepointMayBeRolledBackToAgainAndAgain() throws Exception {
    begin();
    register("before");
    Object savepoint = setSavepoint();
    register("first try");
    rollbackTo(savepoint);
    register("second try");
    rollbackTo(savepoint);
    rollbackTo(savepoint);
    register("third try");

    commit();

    assertThat(calls)
        .containsExactly(
            "before committed",
            "first try rolled back",
            "second try rolled back",
            "third try committed");
  }

  @Test
  void innerSavepointTakesBackOnlyWhatIsInside() throws Exception {
    begin();
    setSavepoint();
    register("outer");
    Object inner = setSavepoint();
    register("inner");

    rollbackTo(inner);
    commit();

    assertThat(calls).containsExactly("outer committed", "inner rolled back");
  }

  @Test
  void outerSavepointTakesBackTheInnerReleasedOrNot() throws Exception {
    begin();
    Object outer = setSavepoint();
    register("outer");
    Object released = setSavepoint();
    register("released");
    release(released);
    setSavepoint();
    register("open");

    rollbackTo(outer);
    commit();

    assertThat(calls)
        .containsExactly("outer rolled back", "released rolled back", "open rolled back");
  }

  @Test
  void savepointsThatAreNeverRolledBackToChangeNothing() throws Exception {
    begin();
    Object released = setSavepoint();
    register("first");
    release(released);
    setSavepoint();
    register("second");

    commit();

    assertThat(calls).containsExactly("first committed", "second committed");
  }

  @Test
  void rollbackRunsWhatASavepointTookBackOnce() throws Exception {
    begin();
    register("before");
    Object savepoint = setSavepoint();
    register("since");
    rollbackTo(savepoint);

    rollback();

    assertThat(calls).containsExactly("before rolled back", "since rolled back");
  }

  private void register(String name) {
    txContext().afterCommit(() -> calls.add(name + " committed"));
    txContext().afterRollback(() -> calls.add(name + " rolled back"));
  }
}
