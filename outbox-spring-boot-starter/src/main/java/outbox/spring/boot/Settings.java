package outbox.spring.boot;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableName;
import outbox.spring.boot.OutboxProperties.Each;

/**
 * The properties of one outbox, without contradictions.
 *
 * @param name what it is called among several; empty if it is the only one
 * @param kind how events are delivered
 * @param table the table that events are written to, if any are
 * @param writes whether it can be told which one is written to
 * @param relayed the tables that events are delivered from; none if nothing is
 * @param cleaned those of them that are cleaned
 */
record Settings(
    String name,
    Each properties,
    Kind kind,
    TableName table,
    boolean writes,
    List<TableName> relayed,
    List<TableName> cleaned) {

  /** A property that has an effect only with some kinds. */
  private record Rule(String name, @Nullable Object value, Set<Kind> kinds) {}

  Settings {
    relayed = List.copyOf(relayed);
    cleaned = List.copyOf(cleaned);
  }

  /** Of an outbox that has the properties for itself. */
  static Settings of(Each properties) {
    Settings only = of("", properties);
    refuseWithoutEffect(properties, "outbox.", List.of(only));
    return only;
  }

  /**
   * @throws RefusedException if tables contradict each other
   */
  static Settings of(String name, Each properties) {
    Kind kind = Kind.of(properties);
    TableName table = table(properties);
    List<TableName> relayed = relayed(properties, kind, table);
    return new Settings(
        name, properties, kind, table, writes(properties), relayed, cleaned(properties, relayed));
  }

  /**
   * @param prefix what the properties stand under
   * @throws RefusedException if one of them has no effect for any of these
   */
  static void refuseWithoutEffect(Each properties, String prefix, List<Settings> all) {
    Set<Kind> kinds = EnumSet.noneOf(Kind.class);
    all.forEach(each -> kinds.add(each.kind()));
    rules(properties).stream()
        .filter(rule -> rule.value() != null && Collections.disjoint(rule.kinds(), kinds))
        .findFirst()
        .ifPresent(rule -> refuse(rule, prefix, kinds));
  }

  /** Those that an Outbox of the application's own makes meaningless. */
  static void refuseForOwnOutbox(OutboxProperties properties) {
    Stream<String> named =
        properties.outboxes().keySet().stream().map(name -> "outbox.outboxes." + name);
    Stream<String> set =
        rules(properties.each()).stream()
            .filter(rule -> rule.value() != null)
            .map(rule -> "outbox." + rule.name());
    Stream.concat(named, set)
        .findFirst()
        .ifPresent(
            property -> {
              throw withoutEffectForOwnOutbox(property);
            });
  }

  static RefusedException withoutEffectForOwnOutbox(String property) {
    return new RefusedException(
        property + " has no effect, because the application has an Outbox bean of its own.",
        "Remove the property and set this where the bean is built, or remove the bean.");
  }

  /** What the properties of one of several outboxes stand under. */
  static String prefix(String name) {
    return "outbox.outboxes.%s.".formatted(name);
  }

  /** How one writes a property of this outbox. */
  String property(String property) {
    return (name.isEmpty() ? "outbox." : prefix(name)) + property;
  }

  /** What a table is called in this application, where others may have one of the same name. */
  String label(TableName of) {
    return name.isEmpty() ? of.toString() : name + "." + of;
  }

  /** Written to or delivered from. */
  List<TableName> tables() {
    return Stream.concat(Stream.of(table), relayed.stream()).distinct().toList();
  }

  boolean delivers(TableName from) {
    return relayed.contains(from);
  }

  /** Whether events are delivered from the table that is written to, and from no other. */
  boolean deliversOnlyWhatItWrites() {
    return writes && relayed.equals(List.of(table));
  }

  /** Switches can be turned while their settings stay; so {@code enabled=false} is always fine. */
  private static List<Rule> rules(Each all) {
    OutboxProperties.Relay relay = all.relay();
    OutboxProperties.Ordered ordered = all.ordered();
    OutboxProperties.Cleaner cleaner = all.cleaner();
    Set<Kind> inOrder = EnumSet.of(Kind.ORDERED);
    return List.of(
        new Rule(
            "relay.single-active", ifTrue(relay.singleActive()), EnumSet.of(Kind.SINGLE_ACTIVE)),
        new Rule("relay.enabled", ifTrue(relay.enabled()), Kind.DELIVERING),
        new Rule("relay.tables", relay.tables(), Kind.DELIVERING),
        new Rule("relay.poll-interval", relay.pollInterval(), Kind.DELIVERING),
        new Rule("relay.batch-size", relay.batchSize(), Kind.DELIVERING),
        new Rule("relay.lock-ttl", relay.lockTtl(), Kind.SHARING),
        new Rule("relay.max-attempts", relay.maxAttempts(), Kind.DELIVERING),
        new Rule("relay.dispatch-timeout", relay.dispatchTimeout(), Kind.DELIVERING),
        new Rule("relay.workers", relay.workers(), Kind.DELIVERING),
        new Rule("relay.hot-path", relay.hotPath(), Kind.POLLING),
        new Rule("relay.unroutable", relay.unroutable(), Kind.DELIVERING),
        new Rule("relay.completion", relay.completion(), Kind.DELIVERING),
        new Rule("relay.drain-timeout", relay.drainTimeout(), Kind.DELIVERING),
        new Rule("last-error-max-bytes", all.lastErrorMaxBytes(), Kind.DELIVERING),
        new Rule("node-id", all.nodeId(), Kind.SHARING),
        new Rule("ordered.partitions", ordered.partitions(), inOrder),
        new Rule("ordered.on-dead", ordered.onDead(), inOrder),
        new Rule("ordered.name", ordered.name(), inOrder),
        new Rule("cleaner.enabled", ifTrue(cleaner.enabled()), Kind.DELIVERING),
        new Rule("cleaner.tables", cleaner.tables(), Kind.DELIVERING),
        new Rule("cleaner.interval", cleaner.interval(), Kind.DELIVERING),
        new Rule("cleaner.retention", cleaner.retention(), Kind.DELIVERING),
        new Rule("cleaner.dead-retention", cleaner.deadRetention(), Kind.DELIVERING));
  }

  private static @Nullable Boolean ifTrue(@Nullable Boolean value) {
    return Boolean.TRUE.equals(value) ? value : null;
  }

  private static void refuse(Rule rule, String prefix, Set<Kind> kinds) {
    String property = prefix + rule.name();
    throw new RefusedException(
        "%s is set to %s, which has no effect with %s."
            .formatted(property, rule.value(), said(kinds, " and ")),
        "Remove %s, or set %s.".formatted(property, said(rule.kinds(), " or ")));
  }

  private static String said(Set<Kind> kinds, String between) {
    return kinds.stream().map(Kind::toString).collect(Collectors.joining(between));
  }

  private static TableName table(Each properties) {
    List<String> relayed = properties.relay().tables();
    if (properties.table() != null) {
      return parse("outbox.table", properties.table());
    }
    if (relayed == null || relayed.contains(TableName.DEFAULT.toString())) {
      return TableName.DEFAULT;
    }
    return parse("outbox.relay.tables", relayed.get(0));
  }

  private static boolean writes(Each properties) {
    List<String> relayed = properties.relay().tables();
    return properties.table() != null
        || relayed == null
        || relayed.size() == 1
        || relayed.contains(TableName.DEFAULT.toString());
  }

  /** For whoever writes all the same. */
  RefusedException unwritten() {
    return new RefusedException(
        "%s has several tables, %s, so it can't be told which one events are written to."
            .formatted(property("relay.tables"), properties.relay().tables()),
        "Set %s to the table that OutboxWriter writes to.".formatted(property("table")));
  }

  private static List<TableName> relayed(Each properties, Kind kind, TableName table) {
    if (kind == Kind.NOTHING || Boolean.FALSE.equals(properties.relay().enabled())) {
      return List.of();
    }
    List<String> tables = properties.relay().tables();
    return tables == null ? List.of(table) : parse("outbox.relay.tables", tables);
  }

  private static List<TableName> cleaned(Each properties, List<TableName> relayed) {
    List<String> tables = properties.cleaner().tables();
    if (!properties.cleaner().isEnabled() || relayed.isEmpty()) {
      return List.of();
    }
    if (tables == null) {
      return relayed;
    }
    List<TableName> cleaned = parse("outbox.cleaner.tables", tables);
    cleaned.stream()
        .filter(table -> !relayed.contains(table))
        .findFirst()
        .ifPresent(
            table -> {
              throw new RefusedException(
                  "outbox.cleaner.tables has %s, which this application delivers nothing from; a table is cleaned by those who deliver from it."
                      .formatted(table),
                  "Remove it, or add it to outbox.relay.tables.");
            });
    return cleaned;
  }

  private static List<TableName> parse(String property, List<String> names) {
    return names.stream().map(name -> parse(property, name)).distinct().toList();
  }

  private static TableName parse(String property, String name) {
    try {
      return TableName.parse(name);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(
          "%s can't be used: %s.".formatted(property, e.getMessage()),
          "Write a table, as in outbox_event, or a schema and a table, as in billing.outbox_event.",
          e);
    }
  }
}
