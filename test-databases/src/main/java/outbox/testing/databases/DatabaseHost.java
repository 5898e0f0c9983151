package outbox.testing.databases;

/** Where databases live: knows a shared one and makes more. */
interface DatabaseHost {
  /** The JDBC URL of the shared database. */
  String url();

  /** Creates an empty database and returns its JDBC URL. */
  String create(String database);

  /** Removes a database, whoever is still connected. */
  void drop(String database);
}
