package outbox.testing.databases;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;

/** The account PostgreSQL runs under, since it refuses to run as root. */
enum PostgresAccount {
  /** Our own, an ordinary one. */
  OWN(""),
  /** Our own, seen as nobody's from inside a user namespace. */
  NAMESPACE("unshare --user"),
  /** The account nobody; the way in containers that forbid namespaces. */
  NOBODY("setpriv --reuid=65534 --regid=65534 --clear-groups");

  private static final int NOBODY_ID = 65534;

  private final String prefix;

  PostgresAccount(String prefix) {
    this.prefix = prefix;
  }

  static PostgresAccount suitedTo(ServerHome home) {
    if (!home.ownedByRoot()) {
      return OWN;
    }
    return Stream.of(NAMESPACE, NOBODY)
        .filter(PostgresAccount::works)
        .findFirst()
        .orElseThrow(
            () ->
                new DatabaseUnavailableException(
                    "PostgreSQL refuses to run as root, and neither unshare nor setpriv of"
                        + " util-linux could take root's rights away; run as another user"));
  }

  /** The command, run under this account. */
  List<String> run(List<String> command) {
    return Stream.concat(Stream.of(prefix.split(" ")), command.stream())
        .filter(word -> !word.isEmpty())
        .toList();
  }

  /** Gives the data folder to this account. */
  void own(ServerHome home) throws IOException {
    if (this == NOBODY) {
      Files.setAttribute(home.data(), "unix:uid", NOBODY_ID);
      home.letOthersPass();
    }
  }

  private boolean works() {
    try {
      return new ProcessBuilder(run(List.of("true"))).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
