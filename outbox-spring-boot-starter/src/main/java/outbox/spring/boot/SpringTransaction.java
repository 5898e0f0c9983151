package outbox.spring.boot;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import outbox.spi.Transaction;

/** A transaction that a manager of Spring's has begun on this thread, whatever was there before. */
record SpringTransaction(PlatformTransactionManager manager, TransactionStatus status)
    implements Transaction {

  static SpringTransaction begin(PlatformTransactionManager manager) {
    return new SpringTransaction(
        manager,
        manager.getTransaction(
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW)));
  }

  @Override
  public void commit() {
    manager.commit(status);
  }

  @Override
  public void rollback() {
    manager.rollback(status);
  }

  @Override
  public void close() {
    if (!status.isCompleted()) {
      manager.rollback(status);
    }
  }
}
