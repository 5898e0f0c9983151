package outbox.testing.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static outbox.testing.databases.DatabaseContract.execute;
import static outbox.testing.databases.DatabaseContract.query;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What a fault test or a benchmark may expect of a server of its own. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class DatabaseServerContract {
  private DatabaseServer server;

  abstract DatabaseServer.Builder builder();

  /** A query for the setting that says whether a commit waits for the disk. */
  abstract String durabilityQuery();

  abstract String durable();

  abstract String dataFolderQuery();

  @BeforeAll
  void startServer() {
    server = builder().start();
  }

  @BeforeEach
  void restartServer() {
    server.start();
  }

  @AfterAll
  void closeServer() {
    server.close();
  }

  @Test
  void stopEndsTheProcessAndStartBringsTheDataBack() throws SQLException {
    String url = server.database().url();
    ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
    execute(server.database().dataSource(), "CREATE TABLE kept (id INT PRIMARY KEY)");
    Connection open = server.database().dataSource().getConnection();

    server.stop();

    assertThat(process.isAlive()).isFalse();
    assertThatThrownBy(() -> server.database().dataSource().getConnection())
        .isInstanceOf(SQLException.class);
    open.close();
    server.start();
    assertThat(server.database().url()).isEqualTo(url);
    assertThat(query(server.database().dataSource(), "SELECT COUNT(*) FROM kept")).isEqualTo("0");
  }

  @Test
  void killEndsTheProcessAndStartBringsCommittedDataBack() throws SQLException {
    ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
    execute(server.database().dataSource(), "CREATE TABLE survivors (id INT PRIMARY KEY)");
    Connection open = server.database().dataSource().getConnection();
    execute(server.database().dataSource(), "INSERT INTO survivors VALUES (1)");

    server.kill();

    assertThat(process.isAlive()).isFalse();
    assertThat(open.isValid(1)).isFalse();
    server.start();
    assertThat(query(server.database().dataSource(), "SELECT COUNT(*) FROM survivors"))
        .isEqualTo("1");
  }

  @Test
  void startingARunningServerChangesNothing() {
    long pid = server.pid();

    server.start();

    assertThat(server.pid()).isEqualTo(pid);
  }

  @Test
  void startBringsBackAServerThatSomebodyElseKilled() {
    ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    process.onExit().join();

    server.start();

    assertThat(server.pid()).isNotEqualTo(process.pid());
  }

  @Test
  void stoppingAStoppedServerIsAMistake() {
    server.stop();

    assertThatThrownBy(server::stop)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("call start() first");
  }

  @Test
  void commitsWaitForTheDiskOnlyOnADurableServerAndCloseRemovesIt() throws SQLException {
    DatabaseServer durable = builder().durable().start();
    ProcessHandle process = ProcessHandle.of(durable.pid()).orElseThrow();
    Path data = Path.of(query(durable.database().dataSource(), dataFolderQuery()));
    assertThat(query(durable.database().dataSource(), durabilityQuery())).isEqualTo(durable());
    assertThat(query(server.database().dataSource(), durabilityQuery())).isNotEqualTo(durable());
    assertThat(data).exists();

    durable.close();

    assertThat(process.isAlive()).isFalse();
    assertThat(data.getParent()).doesNotExist();
  }

  @Test
  void aServerThatCannotStartSaysWhyAndWhatToDo() {
    DatabaseServer.Builder builder = builder().set("no-such-setting", "1");

    assertThatThrownBy(builder::start)
        .isInstanceOf(DatabaseUnavailableException.class)
        .hasMessageContaining("the server exited with")
        .hasMessageContaining("_URL to use a running server instead")
        .hasMessageMatching("(?s).*no.such.setting.*");
  }
}
