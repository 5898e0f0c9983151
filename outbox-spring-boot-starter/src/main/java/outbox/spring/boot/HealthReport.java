package outbox.spring.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is told of the outbox's health.
 *
 * @param status UP, DEGRADED or DOWN
 */
record HealthReport(String status, Map<String, Object> details) {

  static final String UP = "UP";
  static final String DEGRADED = "DEGRADED";
  static final String DOWN = "DOWN";

  static HealthReport of(Map<String, Object> details, List<String> problems) {
    if (problems.isEmpty()) {
      return new HealthReport(UP, details);
    }
    Map<String, Object> all = new LinkedHashMap<>(Map.of("problems", problems));
    all.putAll(details);
    return new HealthReport(DEGRADED, all);
  }

  static HealthReport down(String problem) {
    return new HealthReport(DOWN, Map.of("problems", List.of(problem)));
  }
}
