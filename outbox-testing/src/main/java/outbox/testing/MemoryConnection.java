package outbox.testing;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.jspecify.annotations.Nullable;

/** What a connection to a {@link MemoryTable} can do: begin, commit, roll back, close. */
final class MemoryConnection implements InvocationHandler {

  private final MemoryTable table;
  private MemoryTable.@Nullable Transaction tx;
  private boolean closed;

  private MemoryConnection(MemoryTable table) {
    this.table = table;
  }

  static Connection open(MemoryTable table) {
    return (Connection)
        Proxy.newProxyInstance(
            MemoryConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new MemoryConnection(table));
  }

  /** The transaction that a connection of this table is in; null under auto-commit. */
  static MemoryTable.@Nullable Transaction transactionOf(
      @Nullable Connection connection, MemoryTable table) {
    if (connection == null) {
      return null;
    }
    if (Proxy.isProxyClass(connection.getClass())
        && Proxy.getInvocationHandler(connection) instanceof MemoryConnection memory
        && memory.table == table) {
      return memory.openTransaction();
    }
    throw new IllegalArgumentException(
        "connection must be null or from this store's connections(), got: " + connection);
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws SQLException {
    switch (method.getName()) {
      case "getAutoCommit" -> {
        return openTransaction() == null;
      }
      case "setAutoCommit" -> setAutoCommit(arguments != null && (boolean) arguments[0]);
      case "commit" -> table.commit(transaction("commit"));
      case "rollback" -> table.rollback(transaction("rollback"));
      case "close" -> close();
      case "isClosed" -> {
        return closed;
      }
      case "toString" -> {
        return "in-memory connection";
      }
      case "hashCode" -> {
        return System.identityHashCode(proxy);
      }
      case "equals" -> {
        return arguments != null && proxy == arguments[0];
      }
      default -> throw new SQLFeatureNotSupportedException(method.getName());
    }
    return null;
  }

  private void setAutoCommit(boolean autoCommit) {
    MemoryTable.Transaction open = openTransaction();
    if (autoCommit && open != null) {
      table.commit(open);
      tx = null;
    } else if (!autoCommit && open == null) {
      tx = new MemoryTable.Transaction();
    }
  }

  private void close() {
    if (tx != null) {
      table.rollback(tx);
    }
    closed = true;
  }

  private MemoryTable.Transaction transaction(String operation) throws SQLException {
    MemoryTable.Transaction open = openTransaction();
    if (open == null) {
      throw new SQLException(operation + " is not possible under auto-commit");
    }
    return open;
  }

  private MemoryTable.@Nullable Transaction openTransaction() {
    if (closed) {
      throw new IllegalStateException("connection is closed");
    }
    return tx;
  }
}
