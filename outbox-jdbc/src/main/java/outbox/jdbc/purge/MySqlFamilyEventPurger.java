package outbox.jdbc.purge;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import outbox.internal.SqlErrors;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.ByPrimaryKey;
import outbox.jdbc.internal.ReadCommitted;
import outbox.jdbc.internal.TableOperations;
import outbox.spi.PurgeRequest.Scope;

/** What MySQL and MariaDB have in common: InnoDB. */
abstract class MySqlFamilyEventPurger extends AbstractJdbcEventPurger {

  private static final int MOST_DEADLOCKS = 10;

  MySqlFamilyEventPurger() {}

  MySqlFamilyEventPurger(String table) {
    super(table);
  }

  MySqlFamilyEventPurger(TableName table) {
    super(table);
  }

  @Override
  protected void beforeLocking(Connection connection) throws SQLException {
    ReadCommitted.forNextTransaction(connection);
  }

  /**
   * Without an index that serves the purge InnoDB locks all that it reads, and so what others find
   * free says nothing of what is left: before a purge comes back short it waits for them once.
   */
  @Override
  protected int delete(Connection connection, String conditions, Object... parameters)
      throws SQLException {
    if (!connection.getAutoCommit()) {
      return super.delete(connection, conditions, parameters);
    }
    int limit = (Integer) parameters[parameters.length - 1];
    int deleted = pastDeadlocks(() -> super.delete(connection, conditions, parameters));
    if (deleted >= limit) {
      return deleted;
    }
    Object[] rest = parameters.clone();
    rest[rest.length - 1] = limit - deleted;
    return deleted + pastDeadlocks(() -> deleteWaiting(connection, conditions, rest));
  }

  /**
   * A row has a lock in each index, and those who reach it by different ones can block each other.
   * InnoDB rolls one of them back, which has nothing to lose.
   */
  private static int pastDeadlocks(TableOperations.Work<Integer> step) throws SQLException {
    for (int deadlocks = 0; ; deadlocks++) {
      try {
        return step.run();
      } catch (SQLException | RuntimeException e) {
        if (deadlocks == MOST_DEADLOCKS || !SqlErrors.isPassing(e)) {
          throw e;
        }
      }
    }
  }

  @Override
  List<Expired> expired(Scope scope) {
    return Expired.byAge(scope);
  }

  @Override
  String deleteFrom() {
    return ByPrimaryKey.deleteFrom(table());
  }
}
