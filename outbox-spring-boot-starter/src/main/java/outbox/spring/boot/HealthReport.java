package outbox.spring.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

  /**
   * A problem that is known outweighs what is not.
   *
   * @param unknown what could not be judged, and why
   */
  static HealthReport of(Map<String, Object> details, List<String> problems, List<String> unknown) {
    Map<String, Object> all = new LinkedHashMap<>();
    if (!problems.isEmpty()) {
      all.put("problems", problems);
    }
    if (!unknown.isEmpty()) {
      all.put("unknown", unknown);
    }
    all.putAll(details);
    String known = unknown.isEmpty() ? UP : UNKNOWN;
    return new HealthReport(problems.isEmpty() ? known : DEGRADED, all);
  }

  static HealthReport down(String problem) {
    return new HealthReport(DOWN, Map.of("problems", List.of(problem)));
  }
}
