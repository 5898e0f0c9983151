package outbox.jdbc.ordered;

import java.time.Duration;
import java.util.List;

/**
 * What a node is told on its command line.
 *
 * @param name unique among all that ever wrote to the history
 * @param nodeId what the node calls itself
 */
record NodeSettings(
    String url,
    String history,
    String name,
    String nodeId,
    long leaseMs,
    int failPercent,
    int workMicros,
    int maxAttempts) {

  static NodeSettings parse(String[] arguments) {
    return new NodeSettings(
        arguments[0],
        arguments[1],
        arguments[2],
        arguments[3],
        Long.parseLong(arguments[4]),
        Integer.parseInt(arguments[5]),
        Integer.parseInt(arguments[6]),
        Integer.parseInt(arguments[7]));
  }

  List<String> arguments() {
    return List.of(
        url,
        history,
        name,
        nodeId,
        String.valueOf(leaseMs),
        String.valueOf(failPercent),
        String.valueOf(workMicros),
        String.valueOf(maxAttempts));
  }

  NodeSettings named(String newName, String newNodeId) {
    return new NodeSettings(
        url, history, newName, newNodeId, leaseMs, failPercent, workMicros, maxAttempts);
  }

  NodeSettings lease(Duration lease) {
    return new NodeSettings(
        url, history, name, nodeId, lease.toMillis(), failPercent, workMicros, maxAttempts);
  }

  NodeSettings failing(int percent) {
    return new NodeSettings(url, history, name, nodeId, leaseMs, percent, workMicros, maxAttempts);
  }

  NodeSettings working(Duration work) {
    int micros = (int) (work.toNanos() / 1000);
    return new NodeSettings(url, history, name, nodeId, leaseMs, failPercent, micros, maxAttempts);
  }

  NodeSettings attempts(int most) {
    return new NodeSettings(url, history, name, nodeId, leaseMs, failPercent, workMicros, most);
  }
}
