package outbox.testing.databases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** Tells when a started server answers, and that the answer is not a stranger's on its port. */
record ServerProbe(JdbcUrl url, String dataFolderQuery, ServerHome home) {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration INTERVAL = Duration.ofMillis(20);

  void await(ServerProcess process) {
    long start = System.nanoTime();
    while (!answers()) {
      if (process.exitsWithin(INTERVAL)) {
        throw new DatabaseUnavailableException("the server exited with " + process.exitCode());
      }
      if (System.nanoTime() - start > TIMEOUT.toNanos()) {
        throw new DatabaseUnavailableException("the server did not answer within " + TIMEOUT);
      }
    }
  }

  private boolean answers() {
    try (Connection connection = DriverManager.getConnection(url.text());
        Statement statement = connection.createStatement();
        ResultSet folder = statement.executeQuery(dataFolderQuery)) {
      return folder.next() && Files.isSameFile(Path.of(folder.getString(1)), home.data());
    } catch (SQLException | IOException e) {
      return false;
    }
  }
}
