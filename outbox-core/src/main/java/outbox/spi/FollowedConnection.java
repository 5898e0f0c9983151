package outbox.spi;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;

/**
 * Tells the callbacks what becomes of savepoints: each call when it has succeeded, for one that
 * fails has taken nothing back.
 */
final class FollowedConnection extends DelegatingConnection {

  private final TxCallbacks callbacks;

  FollowedConnection(Connection connection, TxCallbacks callbacks) {
    super(connection);
    this.callbacks = callbacks;
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    return followed(connection.setSavepoint());
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    return followed(connection.setSavepoint(name));
  }

  @Override
  public void releaseSavepoint(Savepoint savepoint) throws SQLException {
    connection.releaseSavepoint(savepoint);
    callbacks.savepointReleased(savepoint);
  }

  @Override
  public void rollback() throws SQLException {
    connection.rollback();
    callbacks.rolledBack();
  }

  @Override
  public void rollback(Savepoint savepoint) throws SQLException {
    connection.rollback(savepoint);
    callbacks.rolledBackTo(savepoint);
  }

  @Override
  public String toString() {
    return "transaction on " + connection;
  }

  private Savepoint followed(Savepoint savepoint) {
    callbacks.savepointSet(savepoint);
    return savepoint;
  }
}
