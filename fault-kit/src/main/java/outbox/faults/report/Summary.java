package outbox.faults.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * What a scenario showed in one run or several.
 *
 * @param results at most one of each run
 * @param runs how many there were, with a result of this scenario or without
 */
record Summary(List<Result> results, int runs) {

  Summary {
    results = List.copyOf(results);
  }

  /** One for each scenario that any of the runs had, in the order of their numbers. */
  static List<Summary> of(List<Result> results, int runs) {
    return results.stream()
        .collect(
            groupingBy(
                result -> List.of(result.scenario(), result.claim(), result.database()),
                LinkedHashMap::new,
                toList()))
        .values()
        .stream()
        .map(ofOne -> new Summary(ofOne, runs))
        .toList();
  }

  /** Runs differ in numbers only; but one that failed early can't tell what it was about. */
  Result first() {
    return results.stream()
        .filter(result -> !result.load().isBlank())
        .findFirst()
        .orElse(results.get(0));
  }

  /** In every run: a run without a result didn't pass. */
  boolean hasPassed() {
    return results.size() == runs && passed() == runs;
  }

  private long passed() {
    return results.stream().filter(Result::passed).count();
  }

  String verdict() {
    String verdict = passed() + " of " + runs;
    return hasPassed() ? verdict : "**" + verdict + "**";
  }

  /** What is wrong, for whoever has to look into it. */
  String complaint() {
    return "%s %s, on %s: %d of %d runs passed, %d failed, %d left no result"
        .formatted(
            first().scenario(),
            first().claim(),
            first().database(),
            passed(),
            runs,
            results.size() - passed(),
            Math.max(0, runs - results.size()));
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
