package outbox.spring.boot;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import outbox.dispatch.CompletionMode;
import outbox.dispatch.UnroutablePolicy;
import outbox.ordered.OnDead;

/**
 * Everything below {@code outbox}. What is not set is null and leaves the default of the outbox.
 *
 * @param enabled Whether to set up an outbox at all.
 * @param mode How many instances of the application share the work, and whether in order.
 * @param table The table that events are written to, with or without its schema, and delivered
 *     from. Default: outbox_event, or the only one of outbox.relay.tables.
 * @param dataSource Name of the DataSource bean that has the table; needed if there are several.
 * @param transactionManager Name of the transaction manager bean of that DataSource; needed if the
 *     right one can't be told.
 * @param nodeId What this instance is known by in the database. Default: a name that is unique.
 * @param lastErrorMaxBytes The most bytes of UTF-8 that are kept of a failure, up to 4000.
 * @param schema How the table gets there.
 * @param relay How events are delivered.
 * @param ordered How events are delivered in order.
 * @param cleaner How events that ended are deleted.
 * @param metrics What the application's meter registry is told.
 * @param outboxes Several outboxes by name, instead of one. Each has properties of its own, and
 *     those above for what it doesn't set.
 */
@ConfigurationProperties(prefix = "outbox", ignoreUnknownFields = false)
record OutboxProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("multi") Mode mode,
    @Nullable String table,
    @Nullable String dataSource,
    @Nullable String transactionManager,
    @Nullable String nodeId,
    @Nullable Integer lastErrorMaxBytes,
    @DefaultValue Schema schema,
    @DefaultValue Relay relay,
    @DefaultValue Ordered ordered,
    @DefaultValue Cleaner cleaner,
    @DefaultValue Metrics metrics,
    @DefaultValue Map<String, Each> outboxes) {

  private static final int LONGEST_ERROR = 4000;

  OutboxProperties {
    between(1, LONGEST_ERROR, "outbox.last-error-max-bytes", lastErrorMaxBytes);
    outboxes = Collections.unmodifiableMap(new LinkedHashMap<>(outboxes));
  }

  /** What is said about the only outbox, or about all of several. */
  Each each() {
    return new Each(
        false,
        mode,
        table,
        dataSource,
        transactionManager,
        nodeId,
        lastErrorMaxBytes,
        schema,
        relay,
        ordered,
        cleaner);
  }

  /**
   * What each of several outboxes can have for itself.
   *
   * @param primary Whether this is the one that is injected where none is named.
   * @param mode How many instances of the application share the work, and whether in order.
   * @param table The table that events are written to.
   * @param dataSource Name of the DataSource bean that has the table.
   * @param transactionManager Name of the transaction manager bean of that DataSource.
   * @param nodeId What this instance is known by in the database.
   * @param lastErrorMaxBytes The most bytes of UTF-8 that are kept of a failure, up to 4000.
   * @param schema How the table gets there.
   * @param relay How events are delivered.
   * @param ordered How events are delivered in order.
   * @param cleaner How events that ended are deleted.
   */
  record Each(
      @DefaultValue("false") boolean primary,
      @DefaultValue("multi") Mode mode,
      @Nullable String table,
      @Nullable String dataSource,
      @Nullable String transactionManager,
      @Nullable String nodeId,
      @Nullable Integer lastErrorMaxBytes,
      @DefaultValue Schema schema,
      @DefaultValue Relay relay,
      @DefaultValue Ordered ordered,
      @DefaultValue Cleaner cleaner) {

    Each {
      between(1, LONGEST_ERROR, "outbox.last-error-max-bytes", lastErrorMaxBytes);
    }
  }

  /** When to create the table. */
  enum Initialize {
    /** Flyway, Liquibase or somebody else does. */
    NEVER,
    /** At the start, if it is missing and the database is one in memory. */
    EMBEDDED,
    /** At the start, if it is missing. */
    ALWAYS
  }

  /**
   * @param initialize When to create the table and what else the mode needs.
   */
  record Schema(@Nullable Initialize initialize) {

    Initialize orDefault() {
      return initialize == null ? Initialize.ALWAYS : initialize;
    }
  }

  /**
   * @param enabled Whether to deliver events. Without, they are kept in the table for later.
   * @param tables The tables that events are delivered from. Default: the one they are written to.
   * @param singleActive Whether one instance delivers and the others stand by.
   * @param pollInterval How often to look into the table when nothing else happens.
   * @param batchSize The most events fetched at once.
   * @param lockTtl How long the events of an instance that died stay with it.
   * @param maxAttempts How many tries an event gets before it is DEAD.
   * @param dispatchTimeout How long a listener may take before it is interrupted and has failed.
   * @param workers How many events are handled at once.
   * @param hotPath Whether events go from their commit straight to the listener.
   * @param unroutable What becomes of events that no listener is there for.
   * @param completion What becomes of the rows of delivered events.
   * @param drainTimeout How long to go on delivering what is in hand when the application stops.
   */
  record Relay(
      @Nullable Boolean enabled,
      @Nullable List<String> tables,
      @Nullable Boolean singleActive,
      @Nullable Duration pollInterval,
      @Nullable Integer batchSize,
      @Nullable Duration lockTtl,
      @Nullable Integer maxAttempts,
      @Nullable Duration dispatchTimeout,
      @Nullable Integer workers,
      @Nullable Boolean hotPath,
      @Nullable UnroutablePolicy unroutable,
      @Nullable CompletionMode completion,
      @Nullable Duration drainTimeout) {

    Relay {
      tables = tables == null || tables.isEmpty() ? null : List.copyOf(tables);
      positive("outbox.relay.poll-interval", pollInterval);
      between(1, Integer.MAX_VALUE, "outbox.relay.batch-size", batchSize);
      positive("outbox.relay.lock-ttl", lockTtl);
      between(1, Integer.MAX_VALUE, "outbox.relay.max-attempts", maxAttempts);
      positive("outbox.relay.dispatch-timeout", dispatchTimeout);
      between(1, Integer.MAX_VALUE, "outbox.relay.workers", workers);
      notNegative("outbox.relay.drain-timeout", drainTimeout);
    }
  }

  /**
   * @param partitions Into how many parts the instances divide their work, a power of two up to
   *     1024; the same on all of them.
   * @param onDead What becomes of events behind a dead one.
   * @param name Which instances share their work: those of the same name.
   */
  record Ordered(@Nullable Integer partitions, @Nullable OnDead onDead, @Nullable String name) {}

  /**
   * @param enabled Whether to delete events that ended.
   * @param tables The tables to clean, of those that events are delivered from. Default: all.
   * @param interval How often to look for what can be deleted, in whole seconds.
   * @param retention How long delivered events are kept.
   * @param deadRetention How long dead events are kept; 0 means until somebody deals with them.
   */
  record Cleaner(
      @Nullable Boolean enabled,
      @Nullable List<String> tables,
      @Nullable Duration interval,
      @Nullable Duration retention,
      @Nullable Duration deadRetention) {

    Cleaner {
      tables = tables == null || tables.isEmpty() ? null : List.copyOf(tables);
      if (interval != null && (interval.toSeconds() < 1 || interval.toNanosPart() != 0)) {
        throw refused("outbox.cleaner.interval", "whole seconds, at least one", interval);
      }
      notNegative("outbox.cleaner.retention", retention);
      notNegative("outbox.cleaner.dead-retention", deadRetention);
    }

    boolean isEnabled() {
      return enabled == null || enabled;
    }
  }

  /**
   * @param enabled Whether the application's meter registry is told of the outbox.
   * @param refreshInterval How often the table is read for the gauges of what waits in it.
   * @param countLimit Where counting what waits stops, so that a long backlog doesn't make it slow.
   * @param maxEventTypes How many event types have meters of their own; the others share one.
   * @param percentiles The percentiles of times that are computed here, from 0 to 1. Buckets are
   *     there in any case.
   */
  record Metrics(
      @Nullable Boolean enabled,
      @Nullable Duration refreshInterval,
      @Nullable Integer countLimit,
      @Nullable Integer maxEventTypes,
      @Nullable List<Double> percentiles) {

    /**
     * @param own the bean that gets the numbers instead, as in "a MetricsExporter"; null if nothing
     *     does
     * @throws RefusedException if anything is said about meters that there are not
     */
    void refuseIfSet(@Nullable String own) {
      boolean isSet =
          Stream.of(refreshInterval, countLimit, maxEventTypes, percentiles)
              .anyMatch(Objects::nonNull);
      if (isSet && !Boolean.FALSE.equals(enabled)) {
        throw new RefusedException(
            "Properties below outbox.metrics have no effect, because "
                + (own == null
                    ? "there is no MeterRegistry."
                    : "the application has %s bean of its own.".formatted(own)),
            own == null
                ? "Add spring-boot-starter-actuator, or remove the properties."
                : "Remove the properties and set this where the bean is made, or remove the bean.");
      }
    }
  }

  static void positive(String name, @Nullable Duration value) {
    if (value != null && (value.isZero() || value.isNegative())) {
      throw refused(name, "positive", value);
    }
  }

  static void notNegative(String name, @Nullable Duration value) {
    if (value != null && value.isNegative()) {
      throw refused(name, "zero or positive", value);
    }
  }

  private static void between(int least, int most, String name, @Nullable Integer value) {
    if (value != null && (value < least || value > most)) {
      String rule =
          most == Integer.MAX_VALUE ? "at least " + least : "from %d to %d".formatted(least, most);
      throw refused(name, rule, value);
    }
  }

  private static IllegalArgumentException refused(String name, String rule, Object value) {
    return new IllegalArgumentException("%s must be %s, got: %s".formatted(name, rule, value));
  }
}
