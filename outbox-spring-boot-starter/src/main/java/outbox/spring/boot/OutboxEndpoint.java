package outbox.spring.boot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;
import org.springframework.util.StringUtils;
import outbox.Outbox;
import outbox.dead.BatchOptions;
import outbox.dead.BatchProgress;
import outbox.dead.DeadEventManager;
import outbox.dead.StopSignal;
import outbox.jdbc.TableName;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;

/**
 * Shows how the outbox stands, never a payload, and lets operators replay and discard dead events
 * where that is switched on: only of what they name, and only when they ask for more than a count.
 */
@Endpoint(id = "outbox")
final class OutboxEndpoint {

  private static final int COUNT_LIMIT = 10_000;
  private static final int PAGE = 50;
  private static final int FORBIDDEN = 403;

  /** As many as are changed before a client, or what stands before the server, gives up waiting. */
  private static final int MOST_CHANGED = 10_000;

  private final TableStates tables;
  private final ObjectProvider<Outbox> outboxes;
  private final boolean writes;

  OutboxEndpoint(TableStates tables, ObjectProvider<Outbox> outboxes, boolean writes) {
    this.tables = tables;
    this.outboxes = outboxes;
    this.writes = writes;
  }

  /** What this process has in hand, and how each table stands. */
  @ReadOperation
  Map<String, Object> status() {
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("mode", tables.settings().kind().name());
    status.put("processes", outboxes.stream().map(Outbox::status).toList());
    status.put("countLimit", COUNT_LIMIT);
    status.put("tables", ofEach(table -> List.of(ShownTable.of(tables.read(table, COUNT_LIMIT)))));
    return status;
  }

  /** The oldest dead events, or the aggregates that have waited longest behind a failed event. */
  @ReadOperation
  WebEndpointResponse<Object> part(@Selector String part, @Nullable String eventType) {
    return answered(
        () ->
            switch (part) {
              case "dead" -> oldestDead(eventType);
              case "blocked" -> blocked();
              default ->
                  throw new IllegalArgumentException(
                      "there is no %s to be shown; ask for dead or blocked, or for neither"
                          .formatted(part));
            });
  }

  /**
   * Replays or discards the dead events that all given conditions apply to; counts them only,
   * unless {@code dryRun} is false.
   *
   * @param ids separated by commas
   * @param reason why events are discarded
   */
  @WriteOperation
  WebEndpointResponse<Object> change(
      @Selector String action,
      @Nullable String ids,
      @Nullable String eventType,
      @Nullable String aggregateType,
      @Nullable String reason,
      @Nullable Boolean dryRun) {
    if (!writes) {
      return refused(
          "replay and discard are switched off; set management.endpoint.outbox.writes=true, and"
              + " let only operators reach this endpoint",
          FORBIDDEN);
    }
    BatchOptions options = Boolean.FALSE.equals(dryRun) ? limited() : limited().asDryRun();
    return answered(
        () -> answer(action, run(action, filter(ids, eventType, aggregateType), reason, options)));
  }

  private static BatchOptions limited() {
    StopSignal enough = new StopSignal();
    return BatchOptions.defaults()
        .stoppedBy(enough)
        .reportingTo(
            progress -> {
              if (progress.changed() >= MOST_CHANGED) {
                enough.stop();
              }
            });
  }

  private BatchProgress run(
      String action, DeadFilter filter, @Nullable String reason, BatchOptions options) {
    return switch (action) {
      case "replay" -> dead().replay(filter, options);
      case "discard" -> {
        if (!StringUtils.hasText(reason)) {
          throw new IllegalArgumentException(
              "discard needs a reason, which is kept with the events");
        }
        yield dead().discard(filter, reason, options);
      }
      default ->
          throw new IllegalArgumentException(
              "there is no %s; ask for replay or discard".formatted(action));
    };
  }

  private static DeadFilter filter(
      @Nullable String ids, @Nullable String eventType, @Nullable String aggregateType) {
    DeadFilter filter =
        DeadFilter.all().withEventType(eventType).withAggregate(aggregateType, null);
    if (StringUtils.hasText(ids)) {
      filter = filter.withIds(StringUtils.commaDelimitedListToSet(ids.replace(" ", "")));
    }
    if (filter.equals(DeadFilter.all())) {
      throw new IllegalArgumentException(
          "name the events by ids, eventType or aggregateType; all at once is not offered");
    }
    return filter;
  }

  private static Map<String, Object> answer(String action, BatchProgress end) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("action", action);
    answer.put("state", end.state());
    answer.put("matched", end.matched());
    answer.put("changed", end.changed());
    int left = end.matched() - end.changed();
    if (end.state() == BatchProgress.State.DRY_RUN) {
      answer.put("next", "send dryRun=false to %s them".formatted(action));
    } else if (end.state() == BatchProgress.State.STOPPED && left > 0) {
      answer.put("left", left);
      answer.put("next", "send it again to %s more of them".formatted(action));
    }
    return answer;
  }

  private DeadEventManager dead() {
    return new DeadEventManager(
        tables.connections(), tables.factory().store(tables.settings().table()));
  }

  private List<ShownEvent> oldestDead(@Nullable String eventType) {
    DeadQuery oldest = DeadQuery.of(DeadFilter.all().withEventType(eventType)).withLimit(PAGE);
    return dead().page(oldest).events().stream().map(ShownEvent::of).toList();
  }

  private List<Object> blocked() {
    return tables.settings().kind() == Kind.ORDERED ? ofEach(this::blockedIn) : List.of();
  }

  private List<ShownKey> blockedIn(TableName table) {
    return tables.blockedKeys(table).list(PAGE).stream()
        .map(key -> ShownKey.of(table, key))
        .toList();
  }

  /** A table that can't be read is shown with its error; the others are shown all the same. */
  private List<Object> ofEach(Function<TableName, List<?>> shown) {
    List<Object> all = new ArrayList<>();
    for (TableName table : tables.settings().tables()) {
      try {
        all.addAll(shown.apply(table));
      } catch (RuntimeException e) {
        all.add(ShownTable.unreadable(table, e));
      }
    }
    return all;
  }

  /** Spring Boot would tell a client nothing but the status of an exception. */
  private static WebEndpointResponse<Object> answered(Supplier<Object> answer) {
    try {
      return new WebEndpointResponse<>(answer.get());
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      return refused(String.valueOf(e.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
  }

  private static WebEndpointResponse<Object> refused(String reason, int status) {
    return new WebEndpointResponse<>(Map.of("error", reason), status);
  }
}
