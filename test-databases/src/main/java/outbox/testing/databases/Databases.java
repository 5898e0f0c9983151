package outbox.testing.databases;

/**
 * Every database this project supports, each running for real.
 *
 * <p>Asking for a database costs nothing; its server starts with the first connection, once per
 * JVM, and is gone when the JVM is, however that ends. A server that cannot start makes the first
 * connection, and every later one, fail with {@link DatabaseUnavailableException}: nothing is
 * skipped.
 *
 * <p>The environment variables {@code OUTBOX_TEST_POSTGRES_URL}, {@code OUTBOX_TEST_MARIADB_URL}
 * and {@code OUTBOX_TEST_MYSQL_URL} (a full JDBC URL with user and password, whose user may create
 * databases) name running servers to use instead. What {@link Database#fresh} creates there is
 * dropped at the end.
 *
 * <pre>{@code
 * try (Database database = Databases.postgres().fresh()) {
 *   DataSource dataSource = database.pooled();
 * }
 * }</pre>
 */
public final class Databases {
  private static final ServerHost MARIADB_HOST = host(new MariaDbEngine());

  private static final Database H2 = Database.shared("H2", new H2Host(""));
  private static final Database H2_MYSQL_MODE =
      Database.shared(
          "H2 in MySQL mode",
          new H2Host(";MODE=MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE"));
  private static final Database POSTGRES =
      Database.shared("PostgreSQL", host(new PostgresEngine()));
  private static final Database MARIADB = Database.shared("MariaDB", MARIADB_HOST);
  private static final Database MARIADB_VIA_MYSQL_DRIVER =
      Database.shared("MariaDB via MySQL's driver", MARIADB_HOST.through("mysql"));
  private static final Database MYSQL = Database.shared("MySQL", host(new MySqlEngine()));

  private Databases() {}

  /** H2 in memory. */
  public static Database h2() {
    return H2;
  }

  /** H2 in memory, speaking MySQL's dialect as far as it can. */
  public static Database h2MySqlMode() {
    return H2_MYSQL_MODE;
  }

  /** PostgreSQL 18. */
  public static Database postgres() {
    return POSTGRES;
  }

  /** MariaDB 11.4 through MariaDB's driver ({@code jdbc:mariadb:}). */
  public static Database mariaDb() {
    return MARIADB;
  }

  /** The server of {@link #mariaDb} through MySQL Connector/J ({@code jdbc:mysql:}). */
  public static Database mariaDbViaMySqlDriver() {
    return MARIADB_VIA_MYSQL_DRIVER;
  }

  /** MySQL 8.0; its server is there only when the build runs with {@code -Pmysql}. */
  public static Database mysql() {
    return MYSQL;
  }

  private static ServerHost host(Engine engine) {
    String external = System.getenv(engine.urlVariable());
    return external == null
        ? ServerHost.embedded(new SharedServer(engine))
        : ServerHost.external(() -> JdbcUrl.parse(external, engine));
  }
}
