package outbox.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The meters of one event type of a table. */
record TypeMeters(
    Counter written,
    Counter delivered,
    Counter failed,
    Counter dead,
    Timer latency,
    Listener listener) {

  /** What its listener took, by how that ended. */
  record Listener(Timer succeeded, Timer failed) {}

  static TypeMeters of(Meters table, String type, List<Double> percentiles) {
    Meters meters = table.tagged("type", type);
    return new TypeMeters(
        meters.counter("written", "Events written and committed"),
        deliveries(meters, "delivered"),
        deliveries(meters, "failed"),
        deliveries(meters, "dead"),
        meters.histogram(
            "delivery.latency", "From the commit of an event until it is DONE", percentiles),
        new Listener(
            listener(meters, "success", percentiles), listener(meters, "failure", percentiles)));
  }

  private static Counter deliveries(Meters meters, String result) {
    return meters
        .tagged("result", result)
        .counter("deliveries", "Tries by what became of the event: delivered, failed, dead");
  }

  private static Timer listener(Meters meters, String result, List<Double> percentiles) {
    return meters
        .tagged("result", result)
        .histogram("listener.time", "How long listeners had an event", percentiles);
  }

  /** Those of all types, of which only so many have their own. */
  static final class All {

    private final Meters table;
    private final MeterOptions options;
    private final Map<String, TypeMeters> types = new ConcurrentHashMap<>();
    private final TypeMeters others;

    All(Meters table, MeterOptions options) {
      this.table = table;
      this.options = options;
      others = TypeMeters.of(table, MeterOptions.OTHER_TYPES, options.percentiles());
    }

    TypeMeters of(String type) {
      TypeMeters known = types.get(type);
      return known == null ? first(type) : known;
    }

    private synchronized TypeMeters first(String type) {
      boolean isOther = type.equals(MeterOptions.OTHER_TYPES);
      if (isOther || (types.size() >= options.maxEventTypes() && !types.containsKey(type))) {
        return others;
      }
      return types.computeIfAbsent(type, name -> TypeMeters.of(table, name, options.percentiles()));
    }
  }
}
