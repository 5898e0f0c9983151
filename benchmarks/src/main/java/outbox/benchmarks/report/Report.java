package outbox.benchmarks.report;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

  /** The earlier report with the measurements of this one in place of its own. */
  public Report inPlaceIn(Report earlier) {
    Set<String> measured = measurements();
    List<Line> all =
        Stream.concat(
                earlier.lines().stream().filter(line -> !measured.contains(line.measurement())),
                lines.stream())
            .sorted(Comparator.comparing(line -> Chapter.named(line.measurement())))
            .toList();
    return new Report(
        date,
        Math.min(rounds, earlier.rounds()),
        quick || earlier.quick(),
        newest(earlier.environment(), environment),
        newest(earlier.settings(), settings),
        all);
  }

  private static List<Fact> newest(List<Fact> earlier, List<Fact> later) {
    Map<String, Fact> facts = new LinkedHashMap<>();
    Stream.of(earlier, later).flatMap(List::stream).forEach(fact -> facts.put(fact.name(), fact));
    return List.copyOf(facts.values());
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
