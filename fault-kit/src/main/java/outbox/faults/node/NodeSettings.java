package outbox.faults.node;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import outbox.faults.mutant.Mutant;

/** What a node is told on its command line. Immutable. */
public final class NodeSettings {

  private final Map<String, String> values;

  private NodeSettings(Map<String, String> values) {
    this.values = values;
  }

  /** A node that delivers with four workers, or writes nothing. */
  public static NodeSettings of(Mode mode, String url, String folder) {
    return new NodeSettings(new TreeMap<>())
        .mode(mode)
        .with("url", url)
        .with("folder", folder)
        .named("node", "node");
  }

  static NodeSettings parse(String[] arguments) {
    Map<String, String> values = new TreeMap<>();
    for (String argument : arguments) {
      int at = argument.indexOf('=');
      values.put(argument.substring(0, at), argument.substring(at + 1));
    }
    return new NodeSettings(values);
  }

  public List<String> arguments() {
    return values.entrySet().stream().map(Object::toString).toList();
  }

  private NodeSettings with(String name, Object value) {
    Map<String, String> changed = new TreeMap<>(values);
    changed.put(name, value.toString());
    return new NodeSettings(changed);
  }

  private String value(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  private int number(String name, int otherwise) {
    return Integer.parseInt(value(name, String.valueOf(otherwise)));
  }

  private Duration duration(String name, Duration otherwise) {
    return Duration.parse(value(name, otherwise.toString()));
  }

  /** A name that no process had before, and what the node calls itself. */
  public NodeSettings named(String name, String nodeId) {
    return with("name", name).with("nodeId", nodeId);
  }

  public String name() {
    return value("name", "");
  }

  String nodeId() {
    return value("nodeId", "");
  }

  public Mode mode() {
    return Mode.valueOf(value("mode", Mode.MULTI.name()));
  }

  public NodeSettings mode(Mode mode) {
    return with("mode", mode);
  }

  /** Through something else, such as a proxy. */
  public NodeSettings url(String url) {
    return with("url", url);
  }

  public String url() {
    return value("url", "");
  }

  String folder() {
    return value("folder", "");
  }

  public NodeSettings lease(Duration lease) {
    return with("lease", lease);
  }

  /** Longer than a busy machine keeps a process waiting: nobody loses one by himself. */
  public Duration lease() {
    return duration("lease", Duration.ofSeconds(5));
  }

  public NodeSettings partitions(int partitions) {
    return with("partitions", partitions);
  }

  int partitions() {
    return number("partitions", 64);
  }

  public NodeSettings workers(int workers) {
    return with("workers", workers);
  }

  public int workers() {
    return number("workers", 4);
  }

  /** How long a listener takes. */
  public NodeSettings work(Duration work) {
    return with("work", work);
  }

  Duration work() {
    return duration("work", Duration.ZERO);
  }

  /** How many calls out of a hundred a listener refuses. */
  public NodeSettings failing(int percent) {
    return with("failing", percent);
  }

  int failing() {
    return number("failing", 0);
  }

  /** How many calls out of a hundred a listener ends well, and says that it failed. */
  public NodeSettings forgetting(int percent) {
    return with("forgetting", percent);
  }

  int forgetting() {
    return number("forgetting", 0);
  }

  /** Longer payloads are rejected. */
  public NodeSettings largest(int bytes) {
    return with("largest", bytes);
  }

  int largest() {
    return number("largest", Integer.MAX_VALUE);
  }

  /** Keys of this behaviour go to a destination apart, which takes lists. */
  public NodeSettings apart(Behaviour behaviour) {
    return with("apart", behaviour);
  }

  Behaviour apart() {
    return Behaviour.valueOf(value("apart", Behaviour.DELIVER.name()));
  }

  public NodeSettings attempts(int most) {
    return with("attempts", most);
  }

  int attempts() {
    return number("attempts", 1000);
  }

  /** How long a listener may take, zero for ever. */
  public NodeSettings dispatchTimeout(Duration timeout) {
    return with("dispatchTimeout", timeout);
  }

  Duration dispatchTimeout() {
    return duration("dispatchTimeout", Duration.ZERO);
  }

  /** How long a close waits for what is queued. */
  public NodeSettings drain(Duration timeout) {
    return with("drain", timeout);
  }

  Duration drain() {
    return duration("drain", Duration.ofSeconds(10));
  }

  /** Events come in lists. */
  public NodeSettings batches() {
    return with("batches", true);
  }

  boolean isBatching() {
    return Boolean.parseBoolean(value("batches", "false"));
  }

  /** Delivered events are deleted after this time. */
  public NodeSettings purgeAfter(Duration retention) {
    return with("purgeAfter", retention);
  }

  Duration purgeAfter() {
    return duration("purgeAfter", Duration.ZERO);
  }

  /** Bytes of events that a node may hold. */
  public NodeSettings queueBytes(int bytes) {
    return with("queueBytes", bytes);
  }

  int queueBytes() {
    return number("queueBytes", 0);
  }

  public NodeSettings heap(int megabytes) {
    return with("heap", megabytes);
  }

  public int heap() {
    return number("heap", 128);
  }

  public NodeSettings pool(int connections) {
    return with("pool", connections);
  }

  int pool() {
    return number("pool", 6);
  }

  /** Connections as a pooler between application and database hands them out. */
  public NodeSettings pooler() {
    return with("pooler", true);
  }

  boolean hasPooler() {
    return Boolean.parseBoolean(value("pooler", "false"));
  }

  /** Ends the process when it has come to this point so many times. */
  public NodeSettings dieAt(KillPoint point, int times) {
    return with("dieAt", point).with("dieAfter", times);
  }

  KillPoint dieAt() {
    return KillPoint.valueOf(value("dieAt", KillPoint.NOWHERE.name()));
  }

  int dieAfter() {
    return number("dieAfter", 1);
  }

  /** Changes the engine of the node for the worse. */
  public NodeSettings mutant(Mutant mutant) {
    return with("mutant", mutant);
  }

  public Optional<Mutant> mutant() {
    return Optional.ofNullable(values.get("mutant")).map(Mutant::valueOf);
  }

  /** Events per second that this node writes, by several threads. */
  public NodeSettings rate(int perSecond) {
    return with("rate", perSecond);
  }

  public int rate() {
    return number("rate", 0);
  }

  /** Stops writing after so many events; otherwise when told to. */
  public NodeSettings events(int events) {
    return with("events", events);
  }

  int events() {
    return number("events", Integer.MAX_VALUE);
  }

  /** The keys this node writes for: the prefix, followed by each of the numbers below count. */
  public NodeSettings keys(String prefix, int count) {
    return with("keyPrefix", prefix).with("keyCount", count);
  }

  public List<String> keys() {
    String prefix = value("keyPrefix", "a");
    return IntStream.range(0, number("keyCount", 1)).mapToObj(i -> prefix + i).toList();
  }

  public NodeSettings payloadBytes(int bytes) {
    return with("payloadBytes", bytes);
  }

  int payloadBytes() {
    return number("payloadBytes", 0);
  }

  /** How many transactions out of a hundred are rolled back. */
  public NodeSettings rollbacks(int percent) {
    return with("rollbacks", percent);
  }

  int rollbacks() {
    return number("rollbacks", 10);
  }

  /** How many transactions out of a hundred take back a part of what they wrote. */
  public NodeSettings savepoints(int percent) {
    return with("savepoints", percent);
  }

  int savepoints() {
    return number("savepoints", 0);
  }

  /** Events of each key in a transaction; otherwise one or two. */
  public NodeSettings eventsOfKey(int count) {
    return with("eventsOfKey", count);
  }

  int eventsOfKey() {
    return number("eventsOfKey", 0);
  }

  /** Writes each event unless it is there: all such nodes have the same events. */
  public NodeSettings sameEvents() {
    return with("sameEvents", true);
  }

  boolean hasSameEvents() {
    return Boolean.parseBoolean(value("sameEvents", "false"));
  }

  /** Has all its connections from the beginning, and never asks whether they still work. */
  public NodeSettings trusting() {
    return with("trusting", true);
  }

  boolean isTrusting() {
    return Boolean.parseBoolean(value("trusting", "false"));
  }

  /** How far this node's clock is off from the beginning. */
  public NodeSettings clock(Duration offset) {
    return with("clock", offset);
  }

  Duration clock() {
    return duration("clock", Duration.ZERO);
  }

  /**
   * Decides, together with the node's name, what it writes; and, for all nodes alike, which events
   * their listeners refuse or forget.
   */
  public NodeSettings seed(long seed) {
    return with("seed", seed);
  }

  long seed() {
    return Long.parseLong(value("seed", "1"));
  }
}
