package outbox.jdbc.notify;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import outbox.jdbc.JdbcTemplate;

/**
 * Real connections that fail where told to, and how many channels each still listens to at last.
 */
final class ReturnedConnections {

  private final DataSource dataSource;
  private final String failing;
  private final List<Integer> listening = new CopyOnWriteArrayList<>();

  ReturnedConnections(DataSource dataSource, String failing) {
    this.dataSource = dataSource;
    this.failing = failing;
  }

  DataSource dataSource() {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> around((Connection) invoke(dataSource, method, arguments)));
  }

  List<Integer> listening() {
    return listening;
  }

  private Connection around(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals(failing)) {
            throw new SQLException(failing);
          }
          if (method.getName().equals("close")) {
            String sql = "SELECT pg_listening_channels()";
            listening.add(JdbcTemplate.query(connection, sql, row -> row.getString(1)).size());
          }
          return invoke(connection, method, arguments);
        });
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            ReturnedConnections.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
