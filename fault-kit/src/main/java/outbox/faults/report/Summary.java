package outbox.faults.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/** What a scenario showed in one run or several. */
record Summary(List<Result> results) {

  Summary {
    results = List.copyOf(results);
  }

  /** One for each scenario, in the order of their numbers. */
  static List<Summary> of(List<Result> results) {
    return results.stream()
        .collect(
            groupingBy(
                result -> List.of(result.scenario(), result.claim(), result.database()),
                LinkedHashMap::new,
                toList()))
        .values()
        .stream()
        .map(Summary::new)
        .toList();
  }

  /** Runs differ in numbers only. */
  Result first() {
    return results.get(0);
  }

  int runs() {
    return results.size();
  }

  boolean hasPassed() {
    return results.stream().allMatch(Result::passed);
  }

  String verdict() {
    long passed = results.stream().filter(Result::passed).count();
    return hasPassed() ? passed + " of " + runs() : "**" + passed + " of " + runs() + "**";
  }

  long written() {
    return results.stream().mapToLong(Result::written).max().orElse(0);
  }

  long repeated() {
    return results.stream().mapToLong(Result::repeated).max().orElse(0);
  }

  /** The longest; negative if it was not measured. */
  Duration converged() {
    return results.stream()
        .map(Result::converged)
        .max(Comparator.naturalOrder())
        .orElse(Duration.ofNanos(-1));
  }
}
