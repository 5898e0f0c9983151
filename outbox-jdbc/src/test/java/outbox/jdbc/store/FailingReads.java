package outbox.jdbc.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;

/** A real connection on which the database refuses one of the statements that are prepared. */
final class FailingReads {

  private FailingReads() {}

  /** So many work before the one that fails. */
  static Connection after(Connection connection, int working) {
    AtomicInteger prepared = new AtomicInteger();
    return (Connection)
        Proxy.newProxyInstance(
            FailingReads.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")
                  && prepared.getAndIncrement() == working) {
                return connection.prepareStatement(
                    arguments[0].toString().replaceFirst("WHERE", "WHERE no_such_column > 0 AND"));
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
