package outbox.testing.databases;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens a new physical connection per call, in the wanted auto-commit mode. */
final class DriverDataSource implements DataSource {
  private final Supplier<String> url;
  private final boolean autoCommit;

  DriverDataSource(Supplier<String> url, boolean autoCommit) {
    this.url = url;
    this.autoCommit = autoCommit;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return prepared(DriverManager.getConnection(url.get()));
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return prepared(DriverManager.getConnection(url.get(), user, password));
  }

  private Connection prepared(Connection connection) throws SQLException {
    if (!autoCommit) {
      connection.setAutoCommit(false);
    }
    return connection;
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException("this data source writes no log");
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    throw new SQLFeatureNotSupportedException("put the login timeout into the JDBC URL");
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("this data source writes no log");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (!isWrapperFor(type)) {
      throw new SQLException("type must be a supertype of " + getClass() + ", got: " + type);
    }
    return type.cast(this);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
