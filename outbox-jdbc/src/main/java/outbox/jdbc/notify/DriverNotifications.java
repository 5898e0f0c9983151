package outbox.jdbc.notify;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * What PostgreSQL's driver offers beyond JDBC, called by name: the driver is the application's
 * choice and no dependency of this module.
 */
final class DriverNotifications {

  private static final String DRIVER_CONNECTION = "org.postgresql.PGConnection";

  private final Object connection;
  private final Method getNotifications;

  /** Finds the driver's connection behind whatever pool or proxy wraps it. */
  DriverNotifications(Connection wrapped) throws SQLException {
    try {
      Class<?> type = Class.forName(DRIVER_CONNECTION, true, loader(wrapped));
      connection = wrapped.unwrap(type);
      getNotifications = type.getMethod("getNotifications", int.class);
    } catch (ReflectiveOperationException e) {
      throw new SQLException(
          "notifications need PostgreSQL's own driver; " + DRIVER_CONNECTION + " was not found", e);
    }
  }

  /** Waits for notifications, and says whether there were any. */
  boolean await(int timeoutMs) throws SQLException {
    try {
      Object[] notifications = (Object[]) getNotifications.invoke(connection, timeoutMs);
      return notifications != null && notifications.length > 0;
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof SQLException cause
          ? cause
          : new SQLException("the driver failed to wait for notifications", e.getCause());
    } catch (IllegalAccessException e) {
      throw new SQLException("the driver lets nobody wait for notifications", e);
    }
  }

  /** The driver may be known to the application's loader alone. */
  private static ClassLoader loader(Connection wrapped) throws SQLException {
    ClassLoader own = wrapped.getMetaData().getClass().getClassLoader();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null ? context : own;
  }
}
