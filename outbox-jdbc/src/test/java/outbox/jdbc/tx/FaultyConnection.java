package outbox.jdbc.tx;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Real connections that fail where told to, and remember what ended or changed a transaction. */
final class FaultyConnection {

  private static final Set<String> NOTED = Set.of("setAutoCommit", "commit", "rollback", "close");

  private final List<String> calls = new ArrayList<>();
  private final Set<String> failing = new HashSet<>();
  private int opened;

  void fail(String call) {
    failing.add(call);
  }

  List<String> calls() {
    return calls;
  }

  int opened() {
    return opened;
  }

  Connection around(Connection connection) {
    opened++;
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> invoke(connection, method, arguments));
  }

  private Object invoke(Connection connection, Method method, Object[] arguments) throws Throwable {
    String call = arguments == null ? method.getName() : method.getName() + " " + arguments[0];
    if (NOTED.contains(method.getName())) {
      calls.add(call);
    }
    if (failing.contains(call)) {
      throw new SQLException(call);
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
