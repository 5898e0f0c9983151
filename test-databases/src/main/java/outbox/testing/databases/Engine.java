package outbox.testing.databases;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What one kind of server needs: commands, address and habits. */
interface Engine {
  /** The product, for messages. */
  String title();

  /** The environment variable that names a running server to use instead. */
  String urlVariable();

  /** The word after {@code jdbc:} in its URLs. */
  String scheme();

  /** Settings that make it fast at the price of losing data in a crash of the machine. */
  Map<String, String> hasty();

  /** Readies the home before the data folder is initialised. */
  default void prepare(ServerHome home) throws IOException {}

  /** The command that fills an empty data folder, and ends. */
  List<String> initialise(ServerHome home);

  /** The command that serves the data folder in the foreground. */
  List<String> serve(ServerHome home, int port, Map<String, String> settings);

  /** A database that exists from the beginning. */
  JdbcUrl bootstrapUrl(int port);

  /** A query for the path of the data folder, by which a server is told from a stranger. */
  String dataFolderQuery();

  /** The signal that closes all connections and stops cleanly. */
  String stopSignal();

  /** The quickest signal that leaves nothing behind outside the data folder. */
  String discardSignal();

  /** Writes settings as command line options: {@code --name=value}. */
  static List<String> options(Map<String, String> settings) {
    return settings.entrySet().stream().map(e -> "--" + e.getKey() + "=" + e.getValue()).toList();
  }
}
