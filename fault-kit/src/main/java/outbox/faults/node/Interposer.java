package outbox.faults.node;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Stands between the application and its pool, and ends the process where it is told to. */
final class Interposer {

  /** How the names of threads begin that run business transactions. */
  static final String BUSINESS = "business-";

  private static final Pattern COMPLETION =
      Pattern.compile("UPDATE .*SET status = 1, done_at = ", Pattern.DOTALL);

  private final Death death;

  Interposer(Death death) {
    this.death = death;
  }

  DataSource around(DataSource pool) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Object result = call(pool, method, arguments);
          return result instanceof Connection connection ? around(connection) : result;
        });
  }

  private Connection around(Connection connection) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          Object result = call(connection, method, arguments);
          if (method.getName().equals("commit")
              && Thread.currentThread().getName().startsWith(BUSINESS)) {
            death.at(KillPoint.COMMITTED);
          }
          return result instanceof PreparedStatement statement
                  && COMPLETION.matcher(String.valueOf(arguments[0])).find()
              ? around(statement)
              : result;
        });
  }

  private PreparedStatement around(PreparedStatement statement) {
    return proxy(
        PreparedStatement.class,
        (proxy, method, arguments) -> {
          Object result = call(statement, method, arguments);
          if (result instanceof Integer changed && method.getName().equals("executeUpdate")) {
            death.amid(KillPoint.COMPLETING, changed);
          }
          return result;
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Interposer.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static @Nullable Object call(Object target, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
