package outbox.testing.databases;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** H2 in this JVM's memory: a database exists from its first connection on. */
final class H2Host implements DatabaseHost {
  private static final String SHARED = "outbox";

  private final String settings;

  H2Host(String settings) {
    this.settings = settings;
  }

  @Override
  public String url() {
    return create(SHARED + Integer.toHexString(settings.hashCode()));
  }

  @Override
  public String create(String database) {
    return "jdbc:h2:mem:" + database + ";USER=sa;DB_CLOSE_DELAY=-1" + settings;
  }

  @Override
  public void drop(String database) {
    try (Connection connection = DriverManager.getConnection(create(database));
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN IMMEDIATELY");
    } catch (SQLException e) {
      throw new DatabaseUnavailableException("H2 could not drop " + database, e);
    }
  }
}
