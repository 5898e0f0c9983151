package outbox;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.internal.GuardedMetrics;
import outbox.spi.Claim;
import outbox.spi.MetricsExporter;
import outbox.util.Nullable;

/** Counts events that were written once they are committed, and keeps no event until then. */
final class CountingHook implements WriterHook {

  private final MetricsExporter metrics;

  private CountingHook(MetricsExporter metrics) {
    this.metrics = GuardedMetrics.guard(metrics);
  }

  /** The hook itself, and counting if somebody wants to know. */
  static WriterHook before(WriterHook hook, MetricsExporter metrics) {
    return metrics == MetricsExporter.NOOP ? hook : HookPair.of(new CountingHook(metrics), hook);
  }

  @Override
  public Ending ending(List<EventEnvelope> events, @Nullable Claim claim) {
    Map<String, Integer> counts = counts(events);
    return new Ending() {
      @Override
      public void committed() {
        counts.forEach(metrics::recordWritten);
      }

      @Override
      public void rolledBack() {}
    };
  }

  private static Map<String, Integer> counts(List<EventEnvelope> events) {
    if (events.size() == 1) {
      return Map.of(events.get(0).eventType(), 1);
    }
    Map<String, Integer> counts = new HashMap<>();
    events.forEach(event -> counts.merge(event.eventType(), 1, Integer::sum));
    return counts;
  }
}
