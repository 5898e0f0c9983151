package outbox.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A whole run: where it ran, how the contenders were set up, and what came out.
 *
 * @param environment machine, operating system, Java, databases and libraries, in reading order
 * @param settings how each contender was set up
 */
public record Report(
    String date,
    int rounds,
    boolean quick,
    List<Fact> environment,
    List<Fact> settings,
    List<Line> lines) {

  /** A name and what stands behind it. */
  public record Fact(String name, String value) {}

  public Report {
    environment = List.copyOf(environment);
    settings = List.copyOf(settings);
    lines = List.copyOf(lines);
  }

  /** The lines by measurement and subject, both in the order they were measured in. */
  Map<String, List<Line>> subjects(String measurement) {
    return lines.stream()
        .filter(line -> line.measurement().equals(measurement))
        .collect(Collectors.groupingBy(Line::what, LinkedHashMap::new, Collectors.toList()));
  }

  Set<String> measurements() {
    return lines.stream()
        .map(Line::measurement)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
