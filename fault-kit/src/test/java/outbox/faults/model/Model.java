package outbox.faults.model;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A module with values for its constants, and what is to hold for it. Constants that are mistakes
 * are FALSE unless they are switched on.
 */
record Model(
    String module,
    Map<String, String> constants,
    List<String> invariants,
    List<String> directives) {

  Model {
    constants = Map.copyOf(constants);
    invariants = List.copyOf(invariants);
    directives = List.copyOf(directives);
  }

  /** One event and two nodes that claim it, and nothing fails. */
  static Model claims() {
    return new Model(
            "Claims",
            Map.of(),
            List.of(
                "OnlyCommittedIsDelivered",
                "DoneMeansDelivered",
                "RepeatsOnlyAfterFailure",
                "ZombieChangesNothing",
                "BuriedOnlyWhenTriesAreUsedUp"),
            List.of("PROPERTY FinalStays"))
        .with("Nodes", "{a, b}")
        .with("Events", "{1}")
        .with("Lease", 2)
        .with("MaxAttempts", 1)
        .with("Locking", "TRUE")
        .with("HotPath", "TRUE")
        .none("Crashes", "Pauses", "Closes", "LostAnswers", "Conflicts", "Refusals")
        .without("Unfenced", "LocalClock", "ReleaseEarly", "CompleteEarly")
        .without("DeliverUncommitted", "ForgetRenewal", "BeginUnasked");
  }

  /** Two events of a key, and two nodes that share its partition; nothing fails. */
  static Model partitions() {
    return new Model(
            "Partitions",
            Map.of(),
            List.of(
                "OnlyCommittedIsDelivered",
                "DoneMeansDelivered",
                "InOrder",
                "OneAtATime",
                "OneOwner",
                "EpochsGrow",
                "RepeatsOnlyAfterFailure",
                "ZombieChangesNothing"),
            List.of("PROPERTY FinalStays"))
        .with("Nodes", "{a, b}")
        .with("Events", "{1, 2}")
        .with("Keys", 1)
        .with("Partitions", 1)
        .with("Lease", 2)
        .with("MaxAttempts", 1)
        .none("Crashes", "Pauses", "Closes", "LostAnswers")
        .without("IgnoreEpoch", "UnlockedFence", "HandOverUndrained")
        .without("ReleaseEarly", "TakeInEnded");
  }

  /** Three events of two keys, and pages of two, on PostgreSQL. */
  static Model cursor() {
    return new Model(
            "Cursor",
            Map.of(),
            List.of("OnlyCommittedIsDelivered", "InOrder", "NothingComesTwice"),
            List.of())
        .with("Events", "{1, 2, 3}")
        .with("Keys", 2)
        .with("Limit", 2)
        .with("Snapshots", "TRUE")
        .without("PassOpen", "KeepPage", "OpenFirst", "NoMoment");
  }

  Model with(String constant, Object value) {
    Map<String, String> changed = new TreeMap<>(constants);
    changed.put(constant, value.toString());
    return new Model(module, changed, invariants, directives);
  }

  Model mistaken(String mistake) {
    if (!"FALSE".equals(constants.get(mistake))) {
      throw new IllegalArgumentException(
          "mistake must be one that %s knows, got: %s".formatted(module, mistake));
    }
    return with(mistake, "TRUE");
  }

  /** The constants that count faults. */
  private Model none(String... faults) {
    Model changed = this;
    for (String fault : faults) {
      changed = changed.with(fault, 0);
    }
    return changed;
  }

  private Model without(String... mistakes) {
    Model changed = this;
    for (String mistake : mistakes) {
      changed = changed.with(mistake, "FALSE");
    }
    return changed;
  }

  /** Tells what was seen. Nodes are alike, so that one order of their names is enough. */
  Model telling() {
    List<String> all = new ArrayList<>(invariants);
    all.add("Seen");
    Model told = new Model(module, constants, all, directives);
    return constants.containsKey("Nodes") ? told.and("SYMMETRY Symmetry") : told;
  }

  /** Every committed event ends, if whoever can go on does. */
  Model lively() {
    return new Model(module, constants, List.of(), List.of("PROPERTY EventuallyEnds"));
  }

  private boolean isLively() {
    return directives.contains("PROPERTY EventuallyEnds");
  }

  private Model and(String directive) {
    List<String> all = new ArrayList<>(directives);
    all.add(directive);
    return new Model(module, constants, invariants, all);
  }

  /** As TLC reads it. */
  String configuration() {
    List<String> lines = new ArrayList<>();
    lines.add("SPECIFICATION " + (isLively() ? "FairSpec" : "Spec"));
    lines.add("CONSTANTS");
    for (String node : List.of("a", "b", "c")) {
      lines.add("  %s = %s".formatted(node, node));
    }
    new TreeMap<>(constants).forEach((name, value) -> lines.add("  " + name + " = " + value));
    invariants.forEach(invariant -> lines.add("INVARIANT " + invariant));
    lines.addAll(directives);
    return String.join("\n", lines) + "\n";
  }

  /** By what is not as usual. */
  @Override
  public String toString() {
    return constants.entrySet().stream()
        .filter(
            constant -> !constant.getValue().equals("FALSE") && !constant.getValue().equals("0"))
        .sorted(Map.Entry.comparingByKey())
        .map(constant -> constant.getKey() + "=" + constant.getValue())
        .collect(joining(" ", module + (isLively() ? " lively " : " "), ""));
  }
}
