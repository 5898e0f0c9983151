package outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NOT_SUPPORTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRES_NEW;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_SUPPORTS;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Which transactions are accepted. */
class SpringTxContextTest {

  private final TestDatabase orders = new TestDatabase();
  private final TestDatabase billing = new TestDatabase();
  private final SpringTxContext context = new SpringTxContext(orders.dataSource());

  @AfterEach
  void close() {
    orders.close();
    billing.close();
  }

  @Test
  void writesOnTheConnectionOfTheBusinessStatements() {
    orders
        .transaction()
        .executeWithoutResult(
            status -> {
              assertThat(context.isTransactionActive()).isTrue();
              assertThat(context.currentConnection())
                  .isSameAs(DataSourceUtils.getConnection(orders.dataSource()))
                  .isSameAs(context.currentConnection());
            });
  }

  @Test
  void refusesWithoutATransactionAndTakesNoConnection() {
    assertThat(context.isTransactionActive()).isFalse();
    assertRefused(context, "@Transactional");

    assertThat(orders.connectionsInUse()).isZero();
  }

  @Test
  void refusesInsideScopesWithoutATransaction() {
    orders
        .transaction(PROPAGATION_SUPPORTS)
        .executeWithoutResult(status -> assertRefused(context, "@Transactional"));
    orders
        .transaction()
        .executeWithoutResult(
            outer ->
                orders
                    .transaction(PROPAGATION_NOT_SUPPORTED)
                    .executeWithoutResult(status -> assertRefused(context, "@Transactional")));
  }

  @Test
  void refusesATransactionOfAnotherDataSourceAndTakesNoConnection() {
    billing
        .transaction()
        .executeWithoutResult(
            status -> {
              assertRefused(context, "transaction manager of that DataSource");

              assertThat(orders.connectionsInUse()).isZero();
            });
  }

  @Test
  void refusesAConnectionThatIsOnlyBoundUntilAnotherDataSourcesTransactionEnds() {
    billing
        .transaction()
        .executeWithoutResult(
            status -> {
              new JdbcTemplate(orders.dataSource()).update("INSERT INTO note VALUES ('stray')");
              assertThat(TransactionSynchronizationManager.hasResource(orders.dataSource()))
                  .isTrue();

              assertRefused(context, "transaction manager of that DataSource");
            });
  }

  @Test
  void refusesAStrayConnectionEvenIfItsPoolSwitchesAutoCommitOff() {
    try (TestDatabase manual = new TestDatabase(false)) {
      SpringTxContext manualContext = new SpringTxContext(manual.dataSource());

      billing
          .transaction()
          .executeWithoutResult(
              status -> {
                new JdbcTemplate(manual.dataSource()).update("INSERT INTO note VALUES ('stray')");

                assertRefused(manualContext, "transaction manager of that DataSource");
              });
      manual
          .transaction()
          .executeWithoutResult(status -> assertAccepted(manualContext, manual.dataSource()));
    }
  }

  @Test
  void acceptsTheInnerTransactionOfThisDataSourceInsideOneOfAnother() {
    billing
        .transaction()
        .executeWithoutResult(
            outer ->
                orders
                    .transaction()
                    .executeWithoutResult(status -> assertAccepted(context, orders.dataSource())));
  }

  @Test
  void refusesTheOuterTransactionWhileOneOfAnotherDataSourceRunsInside() {
    orders
        .transaction()
        .executeWithoutResult(
            outer -> {
              context.currentConnection();

              billing.transaction().executeWithoutResult(status -> assertRefused(context, "inner"));

              assertAccepted(context, orders.dataSource());
            });
  }

  @Test
  void refusesEvenTheFirstWriteInsideATransactionOfAnotherDataSourceIfItKnowsTheManager() {
    JdbcTransactionManager manager = new JdbcTransactionManager(orders.dataSource());
    SpringTxContext followed = new SpringTxContext(orders.dataSource(), manager);

    new TransactionTemplate(manager)
        .executeWithoutResult(
            outer -> {
              billing
                  .transaction()
                  .executeWithoutResult(status -> assertRefused(followed, "inner"));

              assertAccepted(followed, orders.dataSource());
            });
  }

  @Test
  void followsTheInnerTransactionAndComesBackToTheOuterOne() {
    orders
        .transaction()
        .executeWithoutResult(
            outer -> {
              Connection outerConnection = context.currentConnection();

              orders
                  .transaction(PROPAGATION_REQUIRES_NEW)
                  .executeWithoutResult(
                      inner ->
                          assertThat(context.currentConnection()).isNotSameAs(outerConnection));

              assertThat(context.currentConnection()).isSameAs(outerConnection);
            });
  }

  @Test
  void refusesAReadOnlyTransaction() {
    TransactionTemplate readOnly = orders.transaction();
    readOnly.setReadOnly(true);

    readOnly.executeWithoutResult(
        status ->
            assertThatIllegalStateException()
                .isThrownBy(context::currentConnection)
                .withMessageContaining("readOnly = true"));
  }

  @Test
  void refusesATransactionWhoseManagerAnnouncesNoEnd() {
    DataSourceTransactionManager silent = new DataSourceTransactionManager(orders.dataSource());
    silent.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);

    new TransactionTemplate(silent)
        .executeWithoutResult(status -> assertRefused(context, "synchronization switched off"));
  }

  @Test
  void refusesAConnectionThatWasBoundInAutoCommitMode() throws SQLException {
    try (Connection autoCommitting = orders.dataSource().getConnection()) {
      billing
          .transaction()
          .executeWithoutResult(
              status -> {
                TransactionSynchronizationManager.bindResource(
                    orders.dataSource(), new ConnectionHolder(autoCommitting));

                assertRefused(context, "transaction manager of that DataSource");

                TransactionSynchronizationManager.unbindResource(orders.dataSource());
              });
    }
  }

  @Test
  void countsSpringsProxiesAsTheDataSourceThatTheyWrap() {
    DataSource plain = orders.dataSource();
    DataSource aware = new TransactionAwareDataSourceProxy(plain);
    DataSource lazy = new LazyConnectionDataSourceProxy(plain);
    DataSource wrapped =
        new TransactionAwareDataSourceProxy(
            new LazyConnectionDataSourceProxy(new DelegatingDataSource(plain)));

    for (DataSource managed : new DataSource[] {plain, aware, lazy, wrapped}) {
      for (DataSource given : new DataSource[] {plain, aware, lazy, wrapped}) {
        TransactionTemplate transaction =
            new TransactionTemplate(new DataSourceTransactionManager(managed));

        transaction.executeWithoutResult(
            status -> {
              TestDatabase.insertNote(
                  new SpringTxContext(given).currentConnection(), "rolled back");
              status.setRollbackOnly();
            });
      }
    }

    assertThat(orders.committedNotes()).isEmpty();
  }

  @Test
  void refusesANullDataSource() {
    assertThatNullPointerException()
        .isThrownBy(() -> new SpringTxContext(null))
        .withMessageContaining("dataSource");
  }

  private static void assertAccepted(SpringTxContext context, DataSource dataSource) {
    assertThat(context.isTransactionActive()).isTrue();
    assertThat(DataSourceUtils.isConnectionTransactional(context.currentConnection(), dataSource))
        .isTrue();
  }

  private static void assertRefused(SpringTxContext context, String remedy) {
    assertThat(context.isTransactionActive()).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(context::currentConnection)
        .withMessageContaining(remedy);
    assertThatIllegalStateException()
        .isThrownBy(() -> context.afterCommit(() -> {}))
        .withMessageContaining(remedy);
    assertThatIllegalStateException()
        .isThrownBy(() -> context.afterRollback(() -> {}))
        .withMessageContaining(remedy);
  }
}
