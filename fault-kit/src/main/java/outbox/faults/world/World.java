package outbox.faults.world;

import static java.util.stream.Collectors.toSet;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import outbox.faults.check.Checker;
import outbox.faults.history.History;
import outbox.faults.history.Journal;
import outbox.faults.mutant.Mutant;
import outbox.faults.node.Accounts;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.node.Switches;
import outbox.jdbc.database.JdbcDatabase;
import outbox.testing.databases.Database;

/** A database, nodes on it, and what is known about them. */
public final class World implements AutoCloseable {

  /** The system property that names the {@link Mutant} which all nodes are. */
  public static final String MUTANT = "outbox.mutant";

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Database database;
  private final Path folder;
  private final JdbcDatabase outbox;
  private final Journal journal;
  private final Accounts accounts;
  private final Cluster cluster;
  private final Switches switches;
  private final Tables tables;

  /** Histories and logs go to the folder; the database is the world's, to be closed with it. */
  public World(Database database, Path folder) throws SQLException {
    this.database = database;
    this.folder = folder;
    outbox = JdbcDatabase.of(database.pooled()).createTable();
    journal = new Journal(folder, "harness");
    accounts = new Accounts(outbox, journal);
    accounts.createTable();
    cluster = new Cluster(folder);
    switches = new Switches(folder);
    tables = new Tables(outbox.connections());
  }

  public Database database() {
    return database;
  }

  /** The outbox's table, as the harness itself uses it. */
  public JdbcDatabase outbox() {
    return outbox;
  }

  public Journal journal() {
    return journal;
  }

  public Accounts accounts() {
    return accounts;
  }

  public Cluster cluster() {
    return cluster;
  }

  public Switches switches() {
    return switches;
  }

  public Tables tables() {
    return tables;
  }

  public History history() {
    return History.read(folder);
  }

  /** What each node has logged so far. */
  public List<String> logs() {
    List<String> logs = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.log")) {
      for (Path file : files) {
        logs.add(Files.readString(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return logs;
  }

  /** Waits until no process has written anything down for a second, without asking anybody. */
  public void awaitStill() {
    AtomicLong last = new AtomicLong();
    await()
        .pollInterval(Duration.ofSeconds(1))
        .atMost(PATIENCE)
        .until(
            () -> {
              long now = bytes();
              return last.getAndSet(now) == now;
            });
  }

  private long bytes() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /** A node that delivers, with the mistake that {@link #MUTANT} names. */
  public NodeSettings relay(Mode mode) {
    NodeSettings relay = NodeSettings.of(mode, database.url(), folder.toString());
    String mutant = System.getProperty(MUTANT);
    return mutant == null ? relay : relay.mutant(Mutant.valueOf(mutant));
  }

  /** A node that writes so many events per second for so many keys, which it adds. */
  public NodeSettings writer(int perSecond, int keys) throws SQLException {
    NodeSettings writer = relay(Mode.WRITER).keys("a", keys).rate(perSecond);
    accounts.add(writer.keys());
    return writer;
  }

  /** Waits until others have ended the node's session. */
  public void awaitReplaced(NodeProcess node) {
    awaitThat(() -> tables.sessions(node.name()).isEmpty());
  }

  /** Waits until every partition is somebody's and each of these has some. */
  public void awaitShared(List<NodeProcess> relays) {
    awaitThat(() -> tables.owners() > 0 && tables.freePartitions() == 0);
    relays.forEach(node -> awaitThat(() -> tables.partitions(node.name()) > 0));
  }

  /** Waits until each of these has delivered something. */
  public void awaitDeliveriesOf(List<NodeProcess> nodes) {
    nodes.forEach(this::awaitDeliveriesOf);
  }

  /** Waits until the node delivers something that it hasn't yet. */
  public void awaitDeliveriesOf(NodeProcess node) {
    int before = calls(node);
    awaitThat(() -> calls(node) > before);
  }

  /** By its own history alone: to read those of all again and again would be a load by itself. */
  private int calls(NodeProcess node) {
    return History.read(folder, node.name()).calls().size();
  }

  /** Waits until so much time has passed since that moment. */
  public void awaitTime(long nanos, Duration time) {
    await()
        .pollInterval(Duration.ofMillis(50))
        .atMost(time.plus(PATIENCE))
        .until(() -> System.nanoTime() - nanos >= time.toNanos());
  }

  /**
   * Ids of the events that a lost node had handed to its listener and not written: ask before
   * others take them over.
   */
  public Set<String> inHands(NodeProcess lost) {
    Set<String> inHands = new HashSet<>(tables.pendingIds());
    inHands.retainAll(
        History.read(folder, lost.name()).calls().stream()
            .map(call -> call.event().id())
            .collect(toSet()));
    return inHands;
  }

  public void awaitDelivered() {
    awaitThat(() -> tables.pending() == 0);
  }

  /** If it takes too long, the logs of the nodes say what they did instead. */
  public void awaitThat(Callable<Boolean> condition) {
    try {
      await().pollInterval(Duration.ofMillis(50)).atMost(PATIENCE).until(condition);
    } catch (ConditionTimeoutException late) {
      cluster.printThreads();
      throw late;
    }
  }

  /** Lets writers stop, waits until all is delivered, and ends every node as a deployment would. */
  public void settle() {
    settle(0);
  }

  /** The same, where so many events have to wait for an operator. */
  public void settle(int blocked) {
    stopWriting();
    awaitThat(() -> tables.pending() == blocked);
    cluster.running().forEach(cluster::shutDown);
  }

  public void stopWriting() {
    cluster.running().stream()
        .filter(node -> node.settings().mode() == Mode.WRITER)
        .forEach(cluster::shutDown);
  }

  /** Judges the run so far: nothing lost, nothing invented, everything accounted for. */
  public Checker check() throws SQLException {
    return new Checker(history(), tables.rows())
        .nothingPurged()
        .nothingLost()
        .nothingInvented()
        .conserved(accounts.versions());
  }

  @Override
  public void close() {
    cluster.close();
    journal.close();
    database.close();
  }
}
