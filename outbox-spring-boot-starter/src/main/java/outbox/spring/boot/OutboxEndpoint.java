package outbox.spring.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;
import org.springframework.util.StringUtils;
import outbox.dead.BatchOptions;
import outbox.dead.BatchProgress;
import outbox.dead.DeadEventManager;
import outbox.dead.StopSignal;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;

/**
 * Shows how the outboxes stand, never a payload, and lets operators replay and discard dead events
 * where that is switched on: only of what they name, and only when they ask for more than a count.
 * Likewise they can pause and resume a destination.
 */
@Endpoint(id = "outbox")
final class OutboxEndpoint {

  private static final int COUNT_LIMIT = 10_000;
  private static final int PAGE = 50;
  private static final int FORBIDDEN = 403;

  /** As many as are changed before a client, or what stands before the server, gives up waiting. */
  private static final int MOST_CHANGED = 10_000;

  private final WatchedOutboxes outboxes;
  private final TableStates states;
  private final WatchedDestinations destinations;
  private final boolean writes;

  OutboxEndpoint(
      WatchedOutboxes outboxes,
      TableStates states,
      WatchedDestinations destinations,
      boolean writes) {
    this.outboxes = outboxes;
    this.states = states;
    this.destinations = destinations;
    this.writes = writes;
  }

  /** What this process has in hand, and how each table stands. */
  @ReadOperation
  WebEndpointResponse<Object> status() {
    Readings tables =
        Readings.of(
            outboxes.tables(), table -> List.of(ShownTable.of(states.read(table, COUNT_LIMIT))));
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("outboxes", outboxes.shown());
    status.put("countLimit", COUNT_LIMIT);
    status.put("tables", tables.shown());
    status.put("destinations", destinations.shown());
    return new WebEndpointResponse<>(status, tables.status());
  }

  /**
   * The oldest dead events, the aggregates that have waited longest behind a failed event, or the
   * destinations.
   *
   * @param path which of these, and of which table; default: of all
   */
  @ReadOperation
  WebEndpointResponse<Object> part(
      @Selector(match = Match.ALL_REMAINING) String[] path, @Nullable String eventType) {
    return answered(
        () -> {
          if (first(path).equals("destinations")) {
            return new WebEndpointResponse<>(destinations.shown());
          }
          Readings part = part(first(path), eventType, tables(path));
          return new WebEndpointResponse<>(part.shown(), part.status());
        });
  }

  private static Readings part(String part, @Nullable String eventType, List<WatchedTable> tables) {
    return switch (part) {
      case "dead" -> Readings.of(tables, table -> oldestDead(table, eventType));
      case "blocked" -> Readings.of(tables, OutboxEndpoint::blocked);
      default ->
          throw new IllegalArgumentException(
              "there is no %s to be shown; ask for dead or blocked, for destinations, or for none of these"
                  .formatted(part));
    };
  }

  /**
   * Replays or discards the dead events that all given conditions apply to; counts them only,
   * unless {@code dryRun} is false. Or pauses or resumes a destination, in this process.
   *
   * @param path which of these, and of which table, which is needed if there are several, or of
   *     which destination
   * @param ids separated by commas
   * @param reason why events are discarded
   */
  @WriteOperation
  WebEndpointResponse<Object> change(
      @Selector(match = Match.ALL_REMAINING) String[] path,
      @Nullable String ids,
      @Nullable String eventType,
      @Nullable String aggregateType,
      @Nullable String reason,
      @Nullable Boolean dryRun) {
    if (!writes) {
      return refused(
          "replay, discard, pause and resume are switched off; set"
              + " management.endpoint.outbox.writes=true, and let only operators reach this"
              + " endpoint",
          FORBIDDEN);
    }
    BatchOptions options = Boolean.FALSE.equals(dryRun) ? limited() : limited().asDryRun();
    return answered(
        () -> {
          String action = first(path);
          if (action.equals("pause") || action.equals("resume")) {
            return new WebEndpointResponse<>(steer(action, path));
          }
          DeadFilter filter = filter(ids, eventType, aggregateType);
          return answer(action, run(action, only(path).dead(), filter, reason, options));
        });
  }

  private List<Map<String, Object>> steer(String action, String[] path) {
    String name = path.length == 2 ? path[1] : "";
    return action.equals("pause") ? destinations.pause(name) : destinations.resume(name);
  }

  private static String first(String[] path) {
    return path.length == 0 ? "" : path[0];
  }

  private List<WatchedTable> tables(String[] path) {
    List<WatchedTable> all = outboxes.tables();
    if (path.length < 2) {
      return all;
    }
    String name = path[1];
    List<WatchedTable> named = all.stream().filter(table -> table.name().equals(name)).toList();
    if (named.isEmpty() || path.length > 2) {
      throw new IllegalArgumentException(
          "there is no table %s; name one of %s".formatted(name, names(all)));
    }
    return named;
  }

  private WatchedTable only(String[] path) {
    List<WatchedTable> tables = tables(path);
    if (tables.isEmpty()) {
      throw new IllegalArgumentException("there is no table");
    }
    if (tables.size() > 1) {
      throw new IllegalArgumentException(
          "name the table, as in %s/%s; there are %s"
              .formatted(first(path), tables.get(0).name(), names(tables)));
    }
    return tables.get(0);
  }

  private static List<String> names(List<WatchedTable> tables) {
    return tables.stream().map(WatchedTable::name).toList();
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

  private static BatchProgress run(
      String action,
      DeadEventManager dead,
      DeadFilter filter,
      @Nullable String reason,
      BatchOptions options) {
    return switch (action) {
      case "replay" -> dead.replay(filter, options);
      case "discard" -> {
        if (!StringUtils.hasText(reason)) {
          throw new IllegalArgumentException(
              "discard needs a reason, which is kept with the events");
        }
        yield dead.discard(filter, reason, options);
      }
      default ->
          throw new IllegalArgumentException(
              "there is no %s; ask for replay or discard, or for pause or resume"
                  .formatted(action));
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

  private static WebEndpointResponse<Object> answer(String action, BatchProgress end) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("action", action);
    answer.put("state", end.state());
    answer.put("matched", end.matched());
    answer.put("changed", end.changed());
    int left = end.matched() - end.changed();
    if (end.state() == BatchProgress.State.FAILED) {
      answer.put("error", "the database could not be asked; the log says why. Send it again later");
      return new WebEndpointResponse<>(answer, Readings.UNAVAILABLE);
    }
    if (end.state() == BatchProgress.State.DRY_RUN) {
      answer.put("next", "send dryRun=false to %s them".formatted(action));
    } else if (end.state() == BatchProgress.State.STOPPED && left > 0) {
      answer.put("left", left);
      answer.put("next", "send it again to %s more of them".formatted(action));
    }
    return new WebEndpointResponse<>(answer);
  }

  private static List<ShownEvent> oldestDead(WatchedTable table, @Nullable String eventType) {
    DeadQuery oldest = DeadQuery.of(DeadFilter.all().withEventType(eventType)).withLimit(PAGE);
    return table.queryDead(oldest).stream()
        .map(event -> ShownEvent.of(table.name(), event))
        .toList();
  }

  private static List<ShownKey> blocked(WatchedTable table) {
    return table.blocked().map(keys -> keys.list(PAGE)).orElse(List.of()).stream()
        .map(key -> ShownKey.of(table.name(), key))
        .toList();
  }

  /** Spring Boot would tell a client nothing but the status of an exception. */
  private static WebEndpointResponse<Object> answered(
      Supplier<WebEndpointResponse<Object>> answer) {
    try {
      return answer.get();
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      return refused(String.valueOf(e.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
  }

  private static WebEndpointResponse<Object> refused(String reason, int status) {
    return new WebEndpointResponse<>(Map.of("error", reason), status);
  }
}
