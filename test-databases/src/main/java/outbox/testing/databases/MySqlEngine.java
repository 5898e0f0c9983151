package outbox.testing.databases;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** MySQL 8.0 from the distribution that the Maven profile {@code mysql} unpacks. */
final class MySqlEngine extends MySqlFamilyEngine {
  /** Written by the profile; says where the distribution is. */
  private static final String LOCATION = "mysql.properties";

  @Override
  public String title() {
    return "MySQL";
  }

  @Override
  public String urlVariable() {
    return "OUTBOX_TEST_MYSQL_URL";
  }

  @Override
  public String scheme() {
    return "mysql";
  }

  @Override
  public Map<String, String> hasty() {
    return Map.of(
        "innodb-flush-log-at-trx-commit", "2", "innodb-doublewrite", "OFF", "sync-binlog", "0");
  }

  @Override
  public void prepare(ServerHome home) throws IOException {
    // Beside root@localhost, for which the server would have to resolve 127.0.0.1 to that name.
    Files.writeString(
        accounts(home),
        """
        CREATE USER 'root'@'127.0.0.1';
        GRANT ALL ON *.* TO 'root'@'127.0.0.1' WITH GRANT OPTION;
        """);
  }

  @Override
  public List<String> initialise(ServerHome home) {
    List<String> command = command(server(), home);
    command.add("--initialize-insecure");
    command.add("--init-file=" + accounts(home));
    return command;
  }

  @Override
  Path distribution() {
    Properties location = new Properties();
    try (InputStream file = MySqlEngine.class.getResourceAsStream(LOCATION)) {
      if (file == null) {
        throw new DatabaseUnavailableException(
            "its 550 MB distribution is not part of the default build; run Maven with -Pmysql");
      }
      location.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Path.of(location.getProperty("distribution"));
  }

  @Override
  String server() {
    return "bin/mysqld";
  }

  @Override
  List<String> ownOptions() {
    return List.of("--mysqlx=OFF");
  }

  private static Path accounts(ServerHome home) {
    return home.folder().resolve("accounts.sql");
  }
}
