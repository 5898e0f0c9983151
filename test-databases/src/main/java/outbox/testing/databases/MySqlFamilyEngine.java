package outbox.testing.databases;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What MariaDB and MySQL still have in common. */
abstract class MySqlFamilyEngine implements Engine {
  /** The folder with the server's files. */
  abstract Path distribution();

  /** The server program inside the distribution. */
  abstract String server();

  /** Options that only this server knows. */
  abstract List<String> ownOptions();

  @Override
  public List<String> serve(ServerHome home, int port, Map<String, String> settings) {
    List<String> command = command(server(), home);
    command.add("--port=" + port);
    command.add("--bind-address=127.0.0.1");
    command.add("--skip-name-resolve");
    command.add("--max-connections=300");
    command.addAll(ownOptions());
    command.addAll(Engine.options(settings));
    return command;
  }

  List<String> command(String program, ServerHome home) {
    Path distribution = distribution();
    List<String> command = new ArrayList<>();
    command.add(distribution.resolve(program).toString());
    command.add("--no-defaults");
    command.add("--basedir=" + distribution);
    command.add("--datadir=" + home.data());
    // Relative to the data folder: the absolute path can be too long for a socket.
    command.add("--socket=server.sock");
    if (home.ownedByRoot()) {
      command.add("--user=root");
    }
    return command;
  }

  @Override
  public JdbcUrl bootstrapUrl(int port) {
    return JdbcUrl.local(scheme(), port, "mysql", "root");
  }

  @Override
  public String dataFolderQuery() {
    return "SELECT @@datadir";
  }

  @Override
  public String stopSignal() {
    return "TERM";
  }

  @Override
  public String discardSignal() {
    return "KILL";
  }
}
