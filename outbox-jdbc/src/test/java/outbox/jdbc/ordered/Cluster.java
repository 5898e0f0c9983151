package outbox.jdbc.ordered;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Nodes that come and go, and what was done to each of them. */
final class Cluster implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofSeconds(90);

  private final NodeSettings settings;
  private final Tables tables;
  private final Path folder;
  private final List<NodeProcess> running = new ArrayList<>();
  private final Map<String, Integer> kills = new HashMap<>();
  private final Map<String, Integer> pauses = new HashMap<>();
  private int closes;
  private int started;

  Cluster(NodeSettings settings, Tables tables, Path folder) {
    this.settings = settings;
    this.tables = tables;
    this.folder = folder;
  }

  /** Returns when all of them take part. */
  List<NodeProcess> start(int count) {
    List<NodeProcess> starting = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = "node-" + ++started;
      starting.add(launch(settings.named(name, name)));
    }
    starting.forEach(NodeProcess::awaitStart);
    return starting;
  }

  NodeProcess start() {
    return start(1).get(0);
  }

  /** A node that calls itself as somebody else does. */
  NodeProcess startAs(String nodeId) {
    return launch(settings.named("node-" + ++started, nodeId)).awaitStart();
  }

  private NodeProcess launch(NodeSettings node) {
    NodeProcess launched = NodeProcess.start(node, folder.resolve(node.name() + ".log").toFile());
    running.add(launched);
    return launched;
  }

  List<NodeProcess> running() {
    return List.copyOf(running);
  }

  void kill(NodeProcess node) {
    kills.merge(node.name(), 1, Integer::sum);
    running.remove(node);
    node.kill();
  }

  void pause(NodeProcess node) {
    pauses.merge(node.name(), 1, Integer::sum);
    node.pause();
  }

  void shutDown(NodeProcess node) {
    closes++;
    running.remove(node);
    node.shutDown();
  }

  /** Starts a node, and another one each time it has ended by itself. */
  void restartUntil(Callable<Boolean> condition) throws Exception {
    while (!condition.call()) {
      NodeProcess node = start();
      await().atMost(PATIENCE).until(() -> !node.isAlive() || condition.call());
      if (!node.isAlive()) {
        running.remove(node);
        kills.merge(node.name(), 1, Integer::sum);
      }
    }
  }

  /** Waits until others have ended the node's session. */
  void awaitReplaced(NodeProcess node) {
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(PATIENCE)
        .until(() -> tables.sessions(node.name()).isEmpty());
  }

  /** Waits until the node has something to deliver. */
  void awaitPartitions(NodeProcess node) {
    await().atMost(PATIENCE).until(() -> tables.partitions(node.name()) > 0);
  }

  /** Waits until every partition is somebody's and everybody has some. */
  void awaitShared() {
    await().atMost(PATIENCE).until(() -> tables.free() == 0);
    running.forEach(this::awaitPartitions);
  }

  Map<String, Integer> pauses() {
    return pauses;
  }

  /** Each loss of a node, however it came about. */
  Map<String, Integer> losses() {
    Map<String, Integer> losses = new HashMap<>(pauses);
    kills.forEach((node, count) -> losses.merge(node, count, Integer::sum));
    return losses;
  }

  int killCount() {
    return kills.values().stream().mapToInt(Integer::intValue).sum();
  }

  int pauseCount() {
    return pauses.values().stream().mapToInt(Integer::intValue).sum();
  }

  int closeCount() {
    return closes;
  }

  @Override
  public void close() {
    running.forEach(NodeProcess::close);
  }
}
