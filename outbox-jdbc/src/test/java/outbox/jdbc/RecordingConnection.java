package outbox.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Remembers what is prepared and bound on a real connection, and has it explained afterwards. */
public final class RecordingConnection {

  private final Connection connection;
  private final List<Recorded> statements = new ArrayList<>();

  private record Recorded(String sql, List<Binding> bindings) {}

  private interface Binding {
    void bind(PreparedStatement statement) throws ReflectiveOperationException;
  }

  public RecordingConnection(Connection connection) {
    this.connection = connection;
  }

  public Connection connection() {
    return proxy(
        Connection.class,
        connection,
        (method, arguments, result) ->
            method.getName().equals("prepareStatement")
                ? record((String) arguments[0], (PreparedStatement) result)
                : result);
  }

  /** The plan of each statement that was prepared: all rows and columns of the answer. */
  public List<String> plans() throws SQLException, ReflectiveOperationException {
    List<String> plans = new ArrayList<>();
    for (Recorded recorded : statements) {
      try (PreparedStatement explain = connection.prepareStatement("EXPLAIN " + recorded.sql())) {
        for (Binding binding : recorded.bindings()) {
          binding.bind(explain);
        }
        plans.add(text(explain));
      }
    }
    return plans;
  }

  private PreparedStatement record(String sql, PreparedStatement statement) {
    List<Binding> bindings = new ArrayList<>();
    statements.add(new Recorded(sql, bindings));
    return proxy(
        PreparedStatement.class,
        statement,
        (method, arguments, result) -> {
          if (method.getName().startsWith("set")) {
            bindings.add(other -> method.invoke(other, arguments));
          }
          return result;
        });
  }

  private static String text(PreparedStatement explain) throws SQLException {
    try (ResultSet row = explain.executeQuery()) {
      ResultSetMetaData columns = row.getMetaData();
      StringBuilder text = new StringBuilder();
      while (row.next()) {
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          text.append(columns.getColumnLabel(i)).append('=').append(row.getString(i)).append(' ');
        }
        text.append('\n');
      }
      return text.toString();
    }
  }

  private interface After {
    Object apply(Method method, Object[] arguments, Object result);
  }

  private static <T> T proxy(Class<T> type, T target, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return after.apply(method, arguments, method.invoke(target, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
