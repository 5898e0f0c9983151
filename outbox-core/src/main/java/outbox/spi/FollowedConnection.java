package outbox.spi;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import outbox.util.Nullable;

/** Passes every call on to a connection and tells the callbacks what it did to savepoints. */
final class FollowedConnection implements InvocationHandler {

  private final Connection connection;
  private final TxCallbacks callbacks;

  private FollowedConnection(Connection connection, TxCallbacks callbacks) {
    this.connection = connection;
    this.callbacks = callbacks;
  }

  static Connection of(Connection connection, TxCallbacks callbacks) {
    return (Connection)
        Proxy.newProxyInstance(
            FollowedConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            new FollowedConnection(connection, callbacks));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object argument = arguments == null ? null : arguments[0];
    return switch (method.getName()) {
      case "equals" -> proxy == argument;
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "transaction on " + connection;
      case "isWrapperFor" -> isWrapperFor(proxy, type(argument));
      case "unwrap" -> unwrap(proxy, type(argument));
      default -> follow(method.getName(), argument, call(method, arguments));
    };
  }

  /** Runs after the call, for one that fails has taken nothing back. */
  private @Nullable Object follow(
      String method, @Nullable Object argument, @Nullable Object result) {
    if (method.equals("setSavepoint") && result != null) {
      callbacks.savepointSet(result);
    } else if (method.equals("releaseSavepoint") && argument != null) {
      callbacks.savepointReleased(argument);
    } else if (method.equals("rollback")) {
      if (argument == null) {
        callbacks.rolledBack();
      } else {
        callbacks.rolledBackTo(argument);
      }
    }
    return result;
  }

  private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Class<?> type(@Nullable Object argument) {
    return (Class<?>) Objects.requireNonNull(argument, "type must not be null");
  }

  private boolean isWrapperFor(Object proxy, Class<?> type) throws SQLException {
    return type.isInstance(proxy) || type.isInstance(connection) || connection.isWrapperFor(type);
  }

  private Object unwrap(Object proxy, Class<?> type) throws SQLException {
    if (type.isInstance(proxy)) {
      return proxy;
    }
    return type.isInstance(connection) ? connection : connection.unwrap(type);
  }
}
