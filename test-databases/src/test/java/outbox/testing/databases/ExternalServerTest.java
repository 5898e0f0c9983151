package outbox.testing.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.testing.databases.DatabaseContract.query;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The environment variables point the same tests at another server. */
class ExternalServerTest {
  @Test
  void aNamedPostgresServerIsUsedAndLeftAsItWas() throws Exception {
    try (Database named = Databases.postgres().fresh();
        ChildJvm jvm = visit("OUTBOX_TEST_POSTGRES_URL", named)) {
      assertThat(jvm.line()).isEqualTo(named.url());
      String visited = jvm.line();
      assertThat(visited).startsWith("outbox_").isNotEqualTo(current(named));

      assertThat(jvm.process().waitFor(60, TimeUnit.SECONDS)).isTrue();

      String count = "SELECT COUNT(*) FROM pg_database WHERE datname = '%s'";
      assertThat(query(named.dataSource(), count.formatted(current(named)))).isEqualTo("1");
      assertThat(query(named.dataSource(), count.formatted(visited))).isEqualTo("0");
    }
  }

  @Test
  void aNamedMariaDbServerIsUsedThroughBothDriversAndLeftAsItWas() throws Exception {
    try (Database named = Databases.mariaDb().fresh();
        ChildJvm jvm = visit("OUTBOX_TEST_MARIADB_URL", named)) {
      assertThat(jvm.line()).isEqualTo(named.url());
      String visited = jvm.line();
      assertThat(jvm.line()).isEqualTo(named.url().replace("jdbc:mariadb:", "jdbc:mysql:"));
      String visitedThroughMySqlDriver = jvm.line();

      assertThat(jvm.process().waitFor(60, TimeUnit.SECONDS)).isTrue();

      assertThat(query(named.dataSource(), "SHOW DATABASES LIKE '%s'".formatted(current(named))))
          .isEqualTo(current(named));
      String count =
          "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name IN ('%s', '%s')";
      assertThat(query(named.dataSource(), count.formatted(visited, visitedThroughMySqlDriver)))
          .isEqualTo("0");
    }
  }

  private static ChildJvm visit(String variable, Database named) throws IOException {
    return ChildJvm.run(Visitor.class, Map.of(variable, named.url()), variable);
  }

  private static String current(Database database) {
    return database.url().replaceFirst(".*/", "").replaceFirst("\\?.*", "");
  }

  /** Prints the URL it was given and a database it made there and never closed. */
  static final class Visitor {
    public static void main(String[] arguments) throws SQLException {
      if (arguments[0].equals("OUTBOX_TEST_POSTGRES_URL")) {
        visit(Databases.postgres(), "SELECT current_database()");
      } else {
        visit(Databases.mariaDb(), "SELECT DATABASE()");
        visit(Databases.mariaDbViaMySqlDriver(), "SELECT DATABASE()");
      }
    }

    private static void visit(Database database, String name) throws SQLException {
      System.out.println(database.url());
      System.out.println(query(database.fresh().dataSource(), name));
    }
  }
}
