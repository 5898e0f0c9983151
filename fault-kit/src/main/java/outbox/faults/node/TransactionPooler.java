package outbox.faults.node;

import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.Executor;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections as they come through a pooler that works by transaction: each transaction, and each
 * statement outside of one, has a session of the database that knows nothing of the ones before.
 */
final class TransactionPooler implements DataSource {

  private final String url;

  TransactionPooler(String url) {
    this.url = url;
  }

  @Override
  public Connection getConnection() {
    return (Connection)
        Proxy.newProxyInstance(
            TransactionPooler.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new Client());
  }

  /** What an application takes for a connection. */
  private final class Client implements InvocationHandler {

    private @Nullable Connection session;
    private boolean autoCommit = true;
    private boolean isClosed;
    private int networkTimeout;

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      return answer(method, arguments == null ? new Object[0] : arguments);
    }

    private @Nullable Object answer(Method method, Object[] arguments) throws Throwable {
      switch (method.getName()) {
        case "close" -> {
          isClosed = true;
          leave();
          return null;
        }
        case "isClosed" -> {
          return isClosed;
        }
        case "getAutoCommit" -> {
          return autoCommit;
        }
        case "setAutoCommit" -> {
          setAutoCommit((boolean) arguments[0]);
          return null;
        }
        case "getNetworkTimeout" -> {
          return networkTimeout;
        }
        case "setNetworkTimeout" -> {
          networkTimeout = (int) arguments[1];
          applyTimeout();
          return null;
        }
        case "commit", "rollback" -> {
          return end(method, arguments);
        }
        default -> {
          return call(session(), method, arguments);
        }
      }
    }

    private void setAutoCommit(boolean newAutoCommit) throws SQLException {
      if (session != null && newAutoCommit && !autoCommit) {
        session.commit();
      }
      leave();
      autoCommit = newAutoCommit;
    }

    /** A rollback to a savepoint ends nothing. */
    private @Nullable Object end(Method method, Object[] arguments) throws Throwable {
      if (session == null) {
        return null;
      }
      Object result = call(session, method, arguments);
      if (arguments.length == 0) {
        leave();
      }
      return result;
    }

    /** Outside of a transaction a statement may still be read: it ends when the next one comes. */
    private Connection session() throws SQLException {
      if (autoCommit) {
        leave();
      }
      if (session == null) {
        session = DriverManager.getConnection(url);
        session.setAutoCommit(autoCommit);
        applyTimeout();
      }
      return session;
    }

    private void applyTimeout() throws SQLException {
      if (session != null && networkTimeout > 0) {
        Executor direct = Runnable::run;
        session.setNetworkTimeout(direct, networkTimeout);
      }
    }

    private void leave() throws SQLException {
      if (session != null) {
        session.close();
        session = null;
      }
    }
  }

  private static @Nullable Object call(Object target, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public Connection getConnection(String user, String password) {
    return getConnection();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("not a wrapper for " + type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
