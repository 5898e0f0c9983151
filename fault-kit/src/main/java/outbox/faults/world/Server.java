package outbox.faults.world;

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
    return (this == POSTGRES ? Databases.postgres() : Databases.mariaDb()).fresh();
  }

  /** A server of one's own, to be stopped and killed. */
  public DatabaseServer own() {
    return (this == POSTGRES ? DatabaseServer.postgres() : DatabaseServer.mariaDb()).start();
  }

  @Override
  public String toString() {
    return title;
  }
}
