package outbox.spi;

import java.sql.SQLException;

/** A transaction under way, for whoever ends it. */
public interface Transaction extends AutoCloseable {

  void commit() throws SQLException;

  void rollback() throws SQLException;

  /** Rolls back, unless the transaction has ended. */
  @Override
  void close() throws SQLException;
}
