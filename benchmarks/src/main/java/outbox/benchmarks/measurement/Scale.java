package outbox.benchmarks.measurement;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param warmUpEvents a backlog that every contender drains before it counts; 0 for none
 * @param patience how long a contender may take for a backlog before it is judged by what it did
 */
public record Scale(
    int warmUpEvents,
    int backlog,
    int processEvents,
    Duration warmUp,
    Duration write,
    Duration endToEnd,
    Duration latency,
    Duration patience,
    int snapshotPart,
    int snapshotParts,
    int memoryBacklog,
    int costEvents,
    int doneRows,
    Duration idle) {

  public static final Scale FULL =
      new Scale(
          20_000,
          200_000,
          100_000,
          Duration.ofSeconds(3),
          Duration.ofSeconds(10),
          Duration.ofSeconds(15),
          Duration.ofSeconds(20),
          Duration.ofSeconds(40),
          50_000,
          10,
          1_000_000,
          100_000,
          1_000_000,
          Duration.ofSeconds(30));

  public static final Scale QUICK =
      new Scale(
          500,
          4_000,
          12_000,
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(2),
          Duration.ofSeconds(10),
          2_000,
          3,
          10_000,
          4_000,
          10_000,
          Duration.ofSeconds(6));

  /** Of how many aggregates the ordered backlog is. */
  int keys() {
    return backlog / 20;
  }

  /** How many events an aggregate has that is blocked. */
  int blockedEvents() {
    return backlog / 2;
  }

  /** How many events an aggregate has that is delivered alone, each after the commit before. */
  int singleKeyEvents() {
    return backlog / 20;
  }
}
