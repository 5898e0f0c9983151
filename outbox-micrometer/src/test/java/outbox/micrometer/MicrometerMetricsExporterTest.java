package outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.spi.MetricsExporter;

class MicrometerMetricsExporterTest {

  private final MeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void everyMeterExistsAtZeroBeforeAnythingHappens() {
    new MicrometerMetricsExporter(registry);

    assertThat(registry.getMeters())
        .extracting(meter -> meter.getId().getType() + " " + meter.getId().getName())
        .containsExactlyInAnyOrder(
            "COUNTER outbox.enqueue.hot",
            "COUNTER outbox.enqueue.hot.dropped",
            "COUNTER outbox.enqueue.cold",
            "COUNTER outbox.dispatch.success",
            "COUNTER outbox.dispatch.failure",
            "COUNTER outbox.dispatch.dead",
            "GAUGE outbox.queue.hot.depth",
            "GAUGE outbox.queue.cold.depth",
            "GAUGE outbox.lag.oldest.ms");
    assertThat(registry.getMeters()).allSatisfy(meter -> assertThat(valueOf(meter)).isZero());
  }

  @Test
  void everyMeterIsDescribed() {
    new MicrometerMetricsExporter(registry);

    assertThat(registry.getMeters())
        .allSatisfy(meter -> assertThat(meter.getId().getDescription()).isNotBlank());
  }

  /** So that neither types nor tenants nor payloads get there, however many there are. */
  @Test
  void metersHaveNoTagsAndNoneIsAddedLater() {
    MetricsExporter exporter = new MicrometerMetricsExporter(registry);

    exporter.incrementHotEnqueued();
    exporter.incrementDispatchDead();
    exporter.recordQueueDepths(1, 2);
    exporter.recordOldestLagMs(3);

    assertThat(registry.getMeters())
        .hasSize(9)
        .allSatisfy(meter -> assertThat(meter.getId().getTags()).isEmpty());
  }

  @Test
  void eachIncrementCountsInItsOwnCounterOnly() {
    assertCounts("enqueue.hot", MetricsExporter::incrementHotEnqueued);
    assertCounts("enqueue.hot.dropped", MetricsExporter::incrementHotDropped);
    assertCounts("enqueue.cold", MetricsExporter::incrementColdEnqueued);
    assertCounts("dispatch.success", MetricsExporter::incrementDispatchSuccess);
    assertCounts("dispatch.failure", MetricsExporter::incrementDispatchFailure);
    assertCounts("dispatch.dead", MetricsExporter::incrementDispatchDead);
  }

  @Test
  void gaugesShowTheLastValue() {
    MetricsExporter metrics = new MicrometerMetricsExporter(registry);

    metrics.recordQueueDepths(7, 3);
    metrics.recordQueueDepths(5, 0);
    metrics.recordOldestLagMs(Long.MAX_VALUE);
    metrics.recordOldestLagMs(1_500);

    assertThat(gauge("outbox.queue.hot.depth")).isEqualTo(5);
    assertThat(gauge("outbox.queue.cold.depth")).isZero();
    assertThat(gauge("outbox.lag.oldest.ms")).isEqualTo(1_500);
  }

  @Test
  void impossibleValuesLeaveTheLastTrueOneStanding() {
    MetricsExporter metrics = new MicrometerMetricsExporter(registry);
    metrics.recordQueueDepths(7, 3);
    metrics.recordOldestLagMs(1_500);

    metrics.recordQueueDepths(-1, -1);
    metrics.recordOldestLagMs(-1);

    assertThat(gauge("outbox.queue.hot.depth")).isEqualTo(7);
    assertThat(gauge("outbox.queue.cold.depth")).isEqualTo(3);
    assertThat(gauge("outbox.lag.oldest.ms")).isEqualTo(1_500);
  }

  @Test
  void twoOutboxesWithDifferentPrefixesStayApart() {
    MetricsExporter orders = new MicrometerMetricsExporter(registry, "orders.outbox");
    MetricsExporter billing = new MicrometerMetricsExporter(registry, "billing.outbox");

    orders.incrementDispatchSuccess();
    orders.recordQueueDepths(1, 2);
    billing.recordQueueDepths(3, 4);

    assertThat(counter("orders.outbox.dispatch.success")).isEqualTo(1);
    assertThat(counter("billing.outbox.dispatch.success")).isZero();
    assertThat(gauge("orders.outbox.queue.cold.depth")).isEqualTo(2);
    assertThat(gauge("billing.outbox.queue.cold.depth")).isEqualTo(4);
  }

  @Test
  void gaugesOutliveTheExporter() {
    WeakReference<MetricsExporter> exporter = recordLagAndForget();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(exporter.get()).isNull();
            });

    assertThat(gauge("outbox.lag.oldest.ms")).isEqualTo(42);
  }

  @Test
  void prometheusSeesTheNamesThatDashboardsAreWrittenFor() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    new MicrometerMetricsExporter(prometheus, "orders.outbox").incrementHotEnqueued();

    assertThat(prometheus.scrape().lines().filter(line -> !line.startsWith("#")))
        .containsExactlyInAnyOrder(
            "orders_outbox_enqueue_hot_total 1.0",
            "orders_outbox_enqueue_hot_dropped_total 0.0",
            "orders_outbox_enqueue_cold_total 0.0",
            "orders_outbox_dispatch_success_total 0.0",
            "orders_outbox_dispatch_failure_total 0.0",
            "orders_outbox_dispatch_dead_total 0.0",
            "orders_outbox_queue_hot_depth 0.0",
            "orders_outbox_queue_cold_depth 0.0",
            "orders_outbox_lag_oldest_ms 0.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void anEmptyPrefixIsRefusedAndRegistersNothing(String prefix) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new MicrometerMetricsExporter(registry, prefix))
        .withMessageContaining("namePrefix");
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void nullsAreRefused() {
    assertThatNullPointerException()
        .isThrownBy(() -> new MicrometerMetricsExporter(null))
        .withMessageContaining("registry");
    assertThatNullPointerException()
        .isThrownBy(() -> new MicrometerMetricsExporter(registry, null))
        .withMessageContaining("namePrefix");
  }

  private WeakReference<MetricsExporter> recordLagAndForget() {
    MetricsExporter metrics = new MicrometerMetricsExporter(registry);
    metrics.recordOldestLagMs(42);
    return new WeakReference<>(metrics);
  }

  private static void assertCounts(String name, Consumer<MetricsExporter> increment) {
    MeterRegistry registry = new SimpleMeterRegistry();
    MetricsExporter metrics = new MicrometerMetricsExporter(registry);

    increment.accept(metrics);
    increment.accept(metrics);

    assertThat(registry.getMeters())
        .filteredOn(meter -> valueOf(meter) != 0)
        .singleElement()
        .satisfies(meter -> assertThat(meter.getId().getName()).isEqualTo("outbox." + name))
        .satisfies(meter -> assertThat(valueOf(meter)).isEqualTo(2));
  }

  private double counter(String name) {
    return registry.get(name).counter().count();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  private static double valueOf(Meter meter) {
    return meter.measure().iterator().next().getValue();
  }
}
