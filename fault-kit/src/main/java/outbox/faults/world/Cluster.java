package outbox.faults.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.faults.node.NodeSettings;

/** Nodes that come and go, and what was done to each of them. */
public final class Cluster implements AutoCloseable {

  private final Path folder;
  private final List<NodeProcess> running = new ArrayList<>();
  private final Map<String, Integer> kills = new HashMap<>();
  private final Map<String, Integer> pauses = new HashMap<>();
  private int closes;
  private int started;

  Cluster(Path folder) {
    this.folder = folder;
  }

  /** Returns when all of them take part. */
  public List<NodeProcess> start(int count, NodeSettings settings) {
    List<NodeProcess> starting = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = "node-" + (started + 1);
      starting.add(launch(settings.named(name, name)));
    }
    starting.forEach(NodeProcess::awaitStart);
    return starting;
  }

  public NodeProcess start(NodeSettings settings) {
    return start(1, settings).get(0);
  }

  /** A node that calls itself as somebody else does. */
  public NodeProcess startAs(String nodeId, NodeSettings settings) {
    return launch(settings.named("node-" + (started + 1), nodeId)).awaitStart();
  }

  /** A node that may not live to take part. */
  public NodeProcess launch(NodeSettings settings) {
    started++;
    NodeProcess launched = NodeProcess.start(settings, logFile(settings).toFile());
    running.add(launched);
    return launched;
  }

  /** What the node said so far. */
  public String log(NodeProcess node) {
    try {
      return Files.readString(logFile(node.settings()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds to the log of each node that runs what its threads are doing. */
  void printThreads() {
    running.forEach(node -> node.printThreads(logFile(node.settings()).toFile()));
  }

  private Path logFile(NodeSettings settings) {
    return folder.resolve(settings.name() + ".log");
  }

  public List<NodeProcess> running() {
    return List.copyOf(running);
  }

  public void kill(NodeProcess node) {
    node.kill();
    died(node);
  }

  /** The node ended by itself, as if killed. */
  public void died(NodeProcess node) {
    node.awaitEnd();
    kills.merge(node.name(), 1, Integer::sum);
    running.remove(node);
  }

  public void pause(NodeProcess node) {
    pauses.merge(node.name(), 1, Integer::sum);
    node.pause();
  }

  public void shutDown(NodeProcess node) {
    closes++;
    running.remove(node);
    node.shutDown();
  }

  /** Asks the node to end, and kills it if it is still there after the grace; true if not. */
  public boolean terminate(NodeProcess node, Duration grace) {
    node.terminate();
    boolean ended = node.endsWithin(grace);
    if (ended) {
      closes++;
      running.remove(node);
    } else {
      kill(node);
    }
    return ended;
  }

  /** Each loss of a node, however it came about. */
  public Map<String, Integer> losses() {
    Map<String, Integer> losses = new HashMap<>(pauses);
    kills.forEach((node, count) -> losses.merge(node, count, Integer::sum));
    return losses;
  }

  public Map<String, Integer> pauses() {
    return Map.copyOf(pauses);
  }

  @Override
  public String toString() {
    return "%d kills, %d pauses, %d closes".formatted(sum(kills), sum(pauses), closes);
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  @Override
  public void close() {
    running.forEach(NodeProcess::close);
  }
}
