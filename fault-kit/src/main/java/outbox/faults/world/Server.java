package outbox.faults.world;

import java.sql.Connection;
import java.sql.SQLException;
import outbox.testing.databases.Database;
import outbox.testing.databases.DatabaseServer;
import outbox.testing.databases.Databases;

/** The databases on which everything is tried. */
public enum Server {
  POSTGRES("PostgreSQL"),
  MARIADB("MariaDB");

  private final String title;

  Server(String title) {
    this.title = title;
  }

  /** A database on a server that all share. */
  public Database database() {
    return shared().fresh();
  }

  private Database shared() {
    return this == POSTGRES ? Databases.postgres() : Databases.mariaDb();
  }

  /** A server of one's own, to be stopped and killed. */
  public DatabaseServer own() {
    return (this == POSTGRES ? DatabaseServer.postgres() : DatabaseServer.mariaDb()).start();
  }

  /** Such as "PostgreSQL 18.6". */
  public String version() throws SQLException {
    try (Connection connection = shared().dataSource().getConnection()) {
      String version = connection.getMetaData().getDatabaseProductVersion();
      return title + " " + version.replaceFirst("[^0-9.].*", "");
    }
  }

  @Override
  public String toString() {
    return title;
  }
}
