package outbox.spring.boot;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import outbox.OutboxStatus.State;
import outbox.spi.Backlog;
import outbox.spi.LeaseTable.RelayNode;

/** Judges whether events are delivered in time, and says what to do if they aren't. */
final class HealthCheck {

  /** Enough to tell that there are many. */
  private static final int COUNT_LIMIT = 1000;

  private final WatchedOutboxes outboxes;
  private final TableStates states;
  private final WatchedDestinations destinations;
  private final ActuatorProperties.Health limits;

  HealthCheck(
      WatchedOutboxes outboxes,
      TableStates states,
      WatchedDestinations destinations,
      ActuatorProperties.Health limits) {
    this.outboxes = outboxes;
    this.states = states;
    this.destinations = destinations;
    this.limits = limits;
  }

  HealthReport report() {
    HealthReport.Findings findings = new HealthReport.Findings();
    look("outboxes", findings, () -> lookAtOutboxes(findings));
    look("tables", findings, () -> outboxes.tables().forEach(table -> look(table, findings)));
    showDestinations(findings);
    return findings.report();
  }

  /** What fails hides nothing else. */
  private static void look(String at, HealthReport.Findings findings, Runnable look) {
    try {
      look.run();
    } catch (RuntimeException e) {
      findings.down("The %s can't be looked at: %s.".formatted(at, e));
    }
  }

  private void lookAtOutboxes(HealthReport.Findings findings) {
    outboxes
        .all()
        .forEach(
            (name, outbox) -> {
              if (outbox.status().state() != State.STARTED) {
                findings.problem(notStarted(name));
              }
            });
  }

  /** One that can't be asked about hides no other. */
  private void look(WatchedTable watched, HealthReport.Findings findings) {
    TableState table;
    try {
      table = states.read(watched, COUNT_LIMIT);
    } catch (RuntimeException e) {
      findings.down(unreadable(watched, e));
      return;
    }
    findings.detail(table.table(), details(table));
    table.unknown().forEach(findings::unknown);
    List.<Function<TableState, String>>of(this::late, this::unowned, this::skewed).stream()
        .map(judge -> judge.apply(table))
        .filter(problem -> !problem.isEmpty())
        .forEach(findings::problem);
  }

  /** Nothing to judge: their events wait, and a restart would bring back no broker. */
  private void showDestinations(HealthReport.Findings findings) {
    try {
      List<Map<String, Object>> shown = destinations.shown();
      if (!shown.isEmpty()) {
        findings.detail("destinations", shown);
      }
    } catch (RuntimeException e) {
      findings.detail("destinations", "They can't be shown: " + e);
    }
  }

  private static String notStarted(String outbox) {
    return "The outbox of this process is not started: %s delivers nothing. Start the application's context again, or restart the process."
        .formatted(outbox);
  }

  private static String unreadable(WatchedTable table, RuntimeException failure) {
    return "The database can't be asked about %s: %s. Look at it and at the DataSource's settings."
        .formatted(table.name(), failure.getCause() == null ? failure : failure.getCause());
  }

  private static Map<String, Object> details(TableState table) {
    Map<String, Object> details = new LinkedHashMap<>();
    table
        .backlog()
        .ifPresent(
            backlog -> {
              details.put("pending", counted(backlog.pending()));
              details.put("dead", counted(backlog.dead()));
              details.put("oldestAge", backlog.oldestAge().toString());
              details.put("clockDifference", table.clockDifference().toString());
            });
    return details;
  }

  private static String counted(int count) {
    return count < COUNT_LIMIT ? String.valueOf(count) : COUNT_LIMIT + "+";
  }

  /** Empty if all is well, as for the others. */
  private String late(TableState table) {
    Duration age = table.backlog().map(Backlog::oldestAge).orElse(Duration.ZERO);
    return age.compareTo(limits.maxAge()) <= 0
        ? ""
        : "The oldest event of %s has waited for %s, longer than %s. Look for failing or slow listeners in the log and in last_error; if none fail, add outbox.relay.workers or instances."
            .formatted(table.table(), age, limits.maxAge());
  }

  private String unowned(TableState table) {
    List<RelayNode> nodes = table.nodes().orElse(List.of());
    boolean isOwned = nodes.stream().anyMatch(node -> !node.isExpired() && node.partitions() > 0);
    return isOwned || table.nodes().isEmpty()
        ? ""
        : "No relay holds a lease of %s, so nothing is delivered from it: nodes %s. Within outbox.relay.lock-ttl one should; if none does, look in the logs of the instances for what keeps them from the database."
            .formatted(table.table(), nodes.stream().map(RelayNode::nodeId).toList());
  }

  private String skewed(TableState table) {
    Duration difference = table.clockDifference().abs();
    return difference.compareTo(limits.maxClockDifference()) <= 0
        ? ""
        : "The clocks of the database and of this machine are %s apart, more than %s. Delivery goes by the database's; synchronize both, because delays, times in logs and availableAt are off by as much."
            .formatted(difference, limits.maxClockDifference());
  }
}
