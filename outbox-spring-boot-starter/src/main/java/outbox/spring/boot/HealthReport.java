package outbox.spring.boot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is told of the outbox's health.
 *
 * @param status UP, DEGRADED, UNKNOWN or DOWN
 */
record HealthReport(String status, Map<String, Object> details) {

  static final String UP = "UP";
  static final String DEGRADED = "DEGRADED";
  static final String UNKNOWN = "UNKNOWN";
  static final String DOWN = "DOWN";

  static HealthReport down(String problem) {
    Findings findings = new Findings();
    findings.down(problem);
    return findings.report();
  }

  /** Gathers what a report is made of; the worst decides, and what is known outweighs the rest. */
  static final class Findings {

    private final Map<String, Object> details = new LinkedHashMap<>();
    private final List<String> down = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();

    void detail(String name, Object detail) {
      details.put(name, detail);
    }

    /** The database doesn't answer. */
    void down(String problem) {
      down.add(problem);
    }

    /** Events may be late. */
    void problem(String problem) {
      problems.add(problem);
    }

    /** What could not be judged, and why. */
    void unknown(String what) {
      unknown.add(what);
    }

    HealthReport report() {
      Map<String, Object> all = new LinkedHashMap<>();
      List<String> wrong = Stream.concat(down.stream(), problems.stream()).toList();
      if (!wrong.isEmpty()) {
        all.put("problems", wrong);
      }
      if (!unknown.isEmpty()) {
        all.put("unknown", unknown);
      }
      all.putAll(details);
      return new HealthReport(status(), all);
    }

    private String status() {
      if (!down.isEmpty()) {
        return DOWN;
      }
      if (!problems.isEmpty()) {
        return DEGRADED;
      }
      return unknown.isEmpty() ? UP : UNKNOWN;
    }
  }
}
