package outbox.spring.boot;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.TableName;

/**
 * The properties, without contradictions.
 *
 * @param kind how events are delivered
 * @param table the table that events are written to
 * @param relayed the tables that events are delivered from; none if nothing is
 * @param cleaned those of them that are cleaned
 */
record Settings(
    OutboxProperties properties,
    Kind kind,
    TableName table,
    List<TableName> relayed,
    List<TableName> cleaned) {

  /** A property that has an effect only with some kinds. */
  private record Rule(String name, @Nullable Object value, Set<Kind> kinds) {}

  Settings {
    relayed = List.copyOf(relayed);
    cleaned = List.copyOf(cleaned);
  }

  /**
   * @throws RefusedException if a property that is set would have no effect
   */
  static Settings of(OutboxProperties properties) {
    Kind kind = Kind.of(properties);
    rules(properties).stream()
        .filter(rule -> rule.value() != null && !rule.kinds().contains(kind))
        .findFirst()
        .ifPresent(rule -> refuse(rule, kind));
    TableName table = table(properties);
    List<TableName> relayed = relayed(properties, kind, table);
    return new Settings(properties, kind, table, relayed, cleaned(properties, relayed));
  }

  /** Those that an Outbox of the application's own makes meaningless. */
  static void refuseForOwnOutbox(OutboxProperties properties) {
    rules(properties).stream()
        .filter(rule -> rule.value() != null)
        .findFirst()
        .ifPresent(
            rule -> {
              throw new RefusedException(
                  rule.name()
                      + " has no effect, because the application has an Outbox bean of its own.",
                  "Remove the property and set this where the bean is built, or remove the bean.");
            });
  }

  /** Written to or delivered from. */
  List<TableName> tables() {
    return Stream.concat(Stream.of(table), relayed.stream()).distinct().toList();
  }

  boolean delivers(TableName from) {
    return relayed.contains(from);
  }

  /** Switches can be turned while their settings stay; so {@code enabled=false} is always fine. */
  private static List<Rule> rules(OutboxProperties all) {
    OutboxProperties.Relay relay = all.relay();
    OutboxProperties.Ordered ordered = all.ordered();
    OutboxProperties.Cleaner cleaner = all.cleaner();
    Set<Kind> inOrder = EnumSet.of(Kind.ORDERED);
    return List.of(
        new Rule(
            "outbox.relay.single-active",
            ifTrue(relay.singleActive()),
            EnumSet.of(Kind.SINGLE_ACTIVE)),
        new Rule("outbox.relay.enabled", ifTrue(relay.enabled()), Kind.DELIVERING),
        new Rule("outbox.relay.tables", relay.tables(), Kind.DELIVERING),
        new Rule("outbox.relay.poll-interval", relay.pollInterval(), Kind.DELIVERING),
        new Rule("outbox.relay.batch-size", relay.batchSize(), Kind.DELIVERING),
        new Rule("outbox.relay.lock-ttl", relay.lockTtl(), Kind.SHARING),
        new Rule("outbox.relay.max-attempts", relay.maxAttempts(), Kind.DELIVERING),
        new Rule("outbox.relay.dispatch-timeout", relay.dispatchTimeout(), Kind.DELIVERING),
        new Rule("outbox.relay.workers", relay.workers(), Kind.DELIVERING),
        new Rule("outbox.relay.hot-path", relay.hotPath(), Kind.POLLING),
        new Rule("outbox.relay.unroutable", relay.unroutable(), Kind.DELIVERING),
        new Rule("outbox.relay.completion", relay.completion(), Kind.DELIVERING),
        new Rule("outbox.relay.drain-timeout", relay.drainTimeout(), Kind.DELIVERING),
        new Rule("outbox.last-error-max-bytes", all.lastErrorMaxBytes(), Kind.DELIVERING),
        new Rule("outbox.node-id", all.nodeId(), Kind.SHARING),
        new Rule("outbox.ordered.partitions", ordered.partitions(), inOrder),
        new Rule("outbox.ordered.on-dead", ordered.onDead(), inOrder),
        new Rule("outbox.ordered.name", ordered.name(), inOrder),
        new Rule("outbox.cleaner.enabled", ifTrue(cleaner.enabled()), Kind.DELIVERING),
        new Rule("outbox.cleaner.tables", cleaner.tables(), Kind.DELIVERING),
        new Rule("outbox.cleaner.interval", cleaner.interval(), Kind.DELIVERING),
        new Rule("outbox.cleaner.retention", cleaner.retention(), Kind.DELIVERING),
        new Rule("outbox.cleaner.dead-retention", cleaner.deadRetention(), Kind.DELIVERING),
        new Rule("outbox.metrics", ifTrue(all.metrics().isSet()), EnumSet.allOf(Kind.class)));
  }

  private static @Nullable Boolean ifTrue(@Nullable Boolean value) {
    return Boolean.TRUE.equals(value) ? value : null;
  }

  private static void refuse(Rule rule, Kind kind) {
    String kinds = String.join(" or ", rule.kinds().stream().map(Kind::toString).toList());
    throw new RefusedException(
        "%s is set to %s, which has no effect with %s.".formatted(rule.name(), rule.value(), kind),
        "Remove %s, or set %s.".formatted(rule.name(), kinds));
  }

  private static TableName table(OutboxProperties properties) {
    List<String> relayed = properties.relay().tables();
    if (properties.table() != null) {
      return parse("outbox.table", properties.table());
    }
    if (relayed == null || relayed.contains(TableName.DEFAULT.toString())) {
      return TableName.DEFAULT;
    }
    if (relayed.size() == 1) {
      return parse("outbox.relay.tables", relayed.get(0));
    }
    throw new RefusedException(
        "outbox.relay.tables has several tables, %s, so it can't be told which one events are written to."
            .formatted(relayed),
        "Set outbox.table to the table that OutboxWriter writes to.");
  }

  private static List<TableName> relayed(OutboxProperties properties, Kind kind, TableName table) {
    if (kind == Kind.NOTHING || Boolean.FALSE.equals(properties.relay().enabled())) {
      return List.of();
    }
    List<String> tables = properties.relay().tables();
    return tables == null ? List.of(table) : parse("outbox.relay.tables", tables);
  }

  private static List<TableName> cleaned(OutboxProperties properties, List<TableName> relayed) {
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
