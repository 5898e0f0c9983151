package outbox.testing.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static outbox.testing.databases.DatabaseContract.query;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Servers and their files are gone soon after their JVM, however it ended. */
class JvmEndTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void whenMainReturns() throws IOException {
    try (ChildJvm jvm = ChildJvm.run(ServerKeeper.class, Map.of(), "postgres")) {
      Path data = dataFolder(jvm);

      jvm.process().getOutputStream().close();

      awaitRemoval(data);
    }
  }

  @Test
  void whenTerminated() throws IOException {
    try (ChildJvm jvm = ChildJvm.run(ServerKeeper.class, Map.of(), "postgres")) {
      Path data = dataFolder(jvm);

      jvm.process().destroy();

      awaitRemoval(data);
    }
  }

  @Test
  void whenKilled() throws IOException {
    try (ChildJvm jvm = ChildJvm.run(ServerKeeper.class, Map.of(), "postgres", "mariadb")) {
      Path postgresData = dataFolder(jvm);
      Path mariaDbData = dataFolder(jvm);

      jvm.process().destroyForcibly();

      awaitRemoval(postgresData);
      awaitRemoval(mariaDbData);
    }
  }

  private static Path dataFolder(ChildJvm jvm) throws IOException {
    Path data = Path.of(jvm.line());
    assertThat(data).exists();
    return data;
  }

  private static void awaitRemoval(Path data) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(data.getParent()).doesNotExist());
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(commands()).noneMatch(command -> command.contains(data.toString())));
  }

  private static Stream<String> commands() {
    return ProcessHandle.allProcesses().flatMap(process -> process.info().commandLine().stream());
  }

  /** Starts the servers it is asked for, prints their data folders, stays until its input ends. */
  static final class ServerKeeper {
    public static void main(String[] servers) throws SQLException, IOException {
      for (String server : servers) {
        System.out.println(
            server.equals("postgres")
                ? query(Databases.postgres().dataSource(), "SHOW data_directory")
                : query(Databases.mariaDb().dataSource(), "SELECT @@datadir"));
      }
      System.in.read();
    }
  }
}
