package outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NESTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRES_NEW;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** When callbacks run, and what they may do. */
class SpringTxCallbacksTest {

  private final TestDatabase database = new TestDatabase();
  private final SpringTxContext context = new SpringTxContext(database.dataSource());
  private final List<String> calls = new ArrayList<>();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void commitRunsCommitCallbacksInOrderOnceTheDataIsVisible() {
    database
        .transaction()
        .executeWithoutResult(
            status -> {
              TestDatabase.insertNote(context.currentConnection(), "order");
              context.afterCommit(() -> calls.add("first sees " + database.committedNotes()));
              context.afterCommit(() -> calls.add("second"));
              context.afterRollback(() -> calls.add("rollback"));
              assertThat(calls).isEmpty();
            });

    assertThat(calls).containsExactly("first sees [order]", "second");
  }

  @Test
  void rollbackRunsRollbackCallbacks() {
    database
        .transaction()
        .executeWithoutResult(
            status -> {
              registerBoth("order");
              status.setRollbackOnly();
            });

    assertThat(calls).containsExactly("order rolled back");
  }

  @Test
  void rollbackCausedByAParticipantRunsRollbackCallbacks() {
    assertThatExceptionOfType(UnexpectedRollbackException.class)
        .isThrownBy(
            () ->
                database
                    .transaction()
                    .executeWithoutResult(
                        outer -> {
                          registerBoth("order");
                          database
                              .transaction()
                              .executeWithoutResult(inner -> inner.setRollbackOnly());
                        }));

    assertThat(calls).containsExactly("order rolled back");
  }

  @Test
  void aCommitWithUnknownOutcomeRunsRollbackCallbacks() {
    TransactionTemplate transaction = new TransactionTemplate(new CommitFails(database));

    assertThatExceptionOfType(TransactionSystemException.class)
        .isThrownBy(() -> transaction.executeWithoutResult(status -> registerBoth("order")));

    assertThat(calls).containsExactly("order rolled back");
  }

  @Test
  void callbacksBelongToTheInnermostTransaction() {
    database
        .transaction()
        .executeWithoutResult(
            outer -> {
              registerBoth("outer");
              database
                  .transaction(PROPAGATION_REQUIRES_NEW)
                  .executeWithoutResult(inner -> registerBoth("inner"));
              assertThat(calls).containsExactly("inner committed");

              database
                  .transaction(PROPAGATION_REQUIRES_NEW)
                  .executeWithoutResult(
                      inner -> {
                        registerBoth("failing inner");
                        inner.setRollbackOnly();
                      });
            });

    assertThat(calls)
        .containsExactly("inner committed", "failing inner rolled back", "outer committed");
  }

  @Test
  void rollingBackToASavepointUndoesWhatWasRegisteredSince() {
    database
        .transaction()
        .executeWithoutResult(
            outer -> {
              registerBoth("before");
              database
                  .transaction(PROPAGATION_NESTED)
                  .executeWithoutResult(
                      nested -> {
                        registerBoth("nested");
                        nested.setRollbackOnly();
                      });
              registerBoth("after");
            });

    assertThat(calls).containsExactly("before committed", "nested rolled back", "after committed");
  }

  @Test
  void rollingBackToASavepointOlderThanTheFirstRegistrationUndoesAll() {
    database
        .transaction()
        .executeWithoutResult(
            status -> {
              Object savepoint = status.createSavepoint();
              registerBoth("undone");
              status.rollbackToSavepoint(savepoint);
              registerBoth("redone");
            });

    assertThat(calls).containsExactly("undone rolled back", "redone committed");
  }

  @Test
  void aNestedTransactionThatSucceedsCommitsWithTheOuterOne() {
    database
        .transaction()
        .executeWithoutResult(
            outer -> {
              database
                  .transaction(PROPAGATION_NESTED)
                  .executeWithoutResult(nested -> registerBoth("nested"));
              assertThat(calls).isEmpty();
            });

    assertThat(calls).containsExactly("nested committed");
  }

  @Test
  void aThrowingCallbackNeitherHidesTheCommitNorStopsTheOthers() {
    database
        .transaction()
        .executeWithoutResult(
            status -> {
              TestDatabase.insertNote(context.currentConnection(), "order");
              context.afterCommit(() -> fail(new IllegalArgumentException("first")));
              context.afterCommit(() -> fail(new AssertionError("second")));
              context.afterCommit(() -> calls.add("third"));
            });

    assertThat(calls).containsExactly("third");
    assertThat(database.committedNotes()).containsExactly("order");
  }

  @Test
  void writingInACallbackIsRefusedAndNamesTheRemedy() {
    database
        .transaction()
        .executeWithoutResult(
            status ->
                context.afterCommit(
                    () -> {
                      assertThat(context.isTransactionActive()).isFalse();
                      assertThatIllegalStateException()
                          .isThrownBy(context::currentConnection)
                          .withMessageContaining("REQUIRES_NEW");
                      calls.add("refused");
                    }));

    assertThat(calls).containsExactly("refused");
  }

  @Test
  void writingInACallbackWorksInATransactionOfItsOwn() {
    database
        .transaction()
        .executeWithoutResult(
            status ->
                context.afterCommit(
                    () ->
                        database
                            .transaction(PROPAGATION_REQUIRES_NEW)
                            .executeWithoutResult(inner -> registerBoth("follow-up"))));

    assertThat(calls).containsExactly("follow-up committed");
  }

  @Test
  void joiningTheEndedTransactionFromACallbackIsRefused() {
    database
        .transaction()
        .executeWithoutResult(
            status ->
                context.afterCommit(
                    () ->
                        database
                            .transaction()
                            .executeWithoutResult(
                                ended -> {
                                  assertThat(context.isTransactionActive()).isFalse();
                                  assertThatIllegalStateException()
                                      .isThrownBy(context::currentConnection)
                                      .withMessageContaining("REQUIRES_NEW");
                                  calls.add("refused");
                                })));

    assertThat(calls).containsExactly("refused");
  }

  @Test
  void writingInAnotherSynchronizationAfterTheCommitIsRefused() {
    database
        .transaction()
        .executeWithoutResult(
            status -> {
              afterSpringsCommit(
                  () -> {
                    assertThatIllegalStateException()
                        .isThrownBy(context::currentConnection)
                        .withMessageContaining("REQUIRES_NEW");
                    calls.add("refused");
                  });
              context.currentConnection();
            });

    assertThat(calls).containsExactly("refused");
  }

  @Test
  void aFirstWriteAfterTheCommitIsNotTakenForCommitted() {
    database
        .transaction()
        .executeWithoutResult(status -> afterSpringsCommit(() -> registerBoth("late")));

    assertThat(calls).containsExactly("late rolled back");
  }

  @Test
  void twoContextsOfOneDataSourceDoNotDisturbEachOther() {
    SpringTxContext other = new SpringTxContext(database.dataSource());

    database
        .transaction()
        .executeWithoutResult(
            status -> {
              context.afterCommit(() -> calls.add("one"));
              other.afterCommit(() -> calls.add("other"));
            });

    assertThat(calls).containsExactly("one", "other");
  }

  @Test
  void oneThreadCanRunManyTransactions() {
    for (int i = 0; i < 3; i++) {
      String name = "transaction " + i;
      database.transaction().executeWithoutResult(status -> registerBoth(name));
    }

    assertThat(calls)
        .containsExactly(
            "transaction 0 committed", "transaction 1 committed", "transaction 2 committed");
    assertThat(database.connectionsInUse()).isZero();
  }

  @Test
  void aNullCallbackIsRefused() {
    database
        .transaction()
        .executeWithoutResult(
            status -> {
              assertThatNullPointerException().isThrownBy(() -> context.afterCommit(null));
              assertThatNullPointerException().isThrownBy(() -> context.afterRollback(null));
            });
  }

  private void registerBoth(String name) {
    context.afterCommit(() -> calls.add(name + " committed"));
    context.afterRollback(() -> calls.add(name + " rolled back"));
  }

  private static void afterSpringsCommit(Runnable action) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            action.run();
          }
        });
  }

  private static void fail(Error error) {
    throw error;
  }

  private static void fail(RuntimeException exception) {
    throw exception;
  }

  /** Loses the connection in the middle of the commit, as far as anyone can tell. */
  private static final class CommitFails extends JdbcTransactionManager {

    CommitFails(TestDatabase database) {
      super(database.dataSource());
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
      throw new TransactionSystemException("connection lost");
    }
  }
}
