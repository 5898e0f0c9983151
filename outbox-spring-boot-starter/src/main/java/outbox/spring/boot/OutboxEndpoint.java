package outbox.spring.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
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
    status.put("tables", tables.read(COUNT_LIMIT).stream().map(ShownTable::of).toList());
    return status;
  }

  /** The oldest dead events, or the aggregates that have waited longest behind a failed event. */
  @ReadOperation
  List<?> part(@Selector String part, @Nullable String eventType) {
    return switch (part) {
      case "dead" ->
          dead()
              .page(DeadQuery.of(DeadFilter.all().withEventType(eventType)).withLimit(PAGE))
              .events()
              .stream()
              .map(ShownEvent::of)
              .toList();
      case "blocked" -> blocked();
      default ->
          throw refused(
              "there is no %s to be shown; ask for dead or blocked, or for neither"
                  .formatted(part));
    };
  }

  /**
   * Replays or discards the dead events that all given conditions apply to; counts them only,
   * unless {@code dryRun} is false.
   *
   * @param ids separated by commas
   * @param reason why events are discarded
   */
  @WriteOperation
  WebEndpointResponse<Map<String, Object>> change(
      @Selector String action,
      @Nullable String ids,
      @Nullable String eventType,
      @Nullable String aggregateType,
      @Nullable String reason,
      @Nullable Boolean dryRun) {
    if (!writes) {
      return new WebEndpointResponse<>(
          Map.of(
              "error",
              "replay and discard are switched off; set management.endpoint.outbox.writes=true, and"
                  + " let only operators reach this endpoint"),
          FORBIDDEN);
    }
    boolean countsOnly = !Boolean.FALSE.equals(dryRun);
    BatchOptions options = BatchOptions.defaults();
    try {
      BatchProgress end =
          run(
              action,
              filter(ids, eventType, aggregateType),
              reason,
              countsOnly ? options.asDryRun() : options);
      return new WebEndpointResponse<>(answer(action, end));
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  private BatchProgress run(
      String action, DeadFilter filter, @Nullable String reason, BatchOptions options) {
    return switch (action) {
      case "replay" -> dead().replay(filter, options);
      case "discard" -> {
        if (!StringUtils.hasText(reason)) {
          throw refused("discard needs a reason, which is kept with the events");
        }
        yield dead().discard(filter, reason, options);
      }
      default -> throw refused("there is no %s; ask for replay or discard".formatted(action));
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
      throw refused(
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
    if (end.state() == BatchProgress.State.DRY_RUN) {
      answer.put("next", "send dryRun=false to " + action.toLowerCase(Locale.ROOT) + " them");
    }
    return answer;
  }

  private DeadEventManager dead() {
    return new DeadEventManager(
        tables.connections(), tables.factory().store(tables.settings().table()));
  }

  private List<ShownKey> blocked() {
    if (tables.settings().kind() != Kind.ORDERED) {
      return List.of();
    }
    return outboxes.stream()
        .flatMap(outbox -> outbox.blockedKeys().list(PAGE).stream())
        .map(ShownKey::of)
        .toList();
  }

  private static InvalidEndpointRequestException refused(String reason) {
    return new InvalidEndpointRequestException(reason, reason);
  }
}
