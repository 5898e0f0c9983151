package outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.spi.MetricsExporter;

class TableMetersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void aRunningOutboxTellsWhatBecameOfEachType() throws Exception {
    try (RunningOutbox running =
        RunningOutbox.multiNode(
            registry,
            event -> {
              if (event.payloadJson().contains("poison")) {
                throw new IllegalStateException("poison");
              }
            })) {
      running.write(order("{}"), order("{}"), order("{\"poison\":1}"));
      running.write(EventEnvelope.ofJson("Unknown", "{}"));

      until(() -> deliveries("OrderPlaced", "dead") == 1 && deliveries("Unknown", "dead") == 1);
      until(() -> deliveries("OrderPlaced", "delivered") == 2);
      assertThat(deliveries("OrderPlaced", "failed")).isEqualTo(1);
      assertThat(counter("outbox.written", "type", "OrderPlaced")).isEqualTo(3);
      assertThat(counter("outbox.written", "type", "Unknown")).isEqualTo(1);
      assertThat(timer("outbox.listener.time", "type", "OrderPlaced", "result", "success").count())
          .isEqualTo(2);
      assertThat(timer("outbox.listener.time", "type", "OrderPlaced", "result", "failure").count())
          .isEqualTo(2);
      Timer latency = timer("outbox.delivery.latency", "type", "OrderPlaced");
      until(() -> latency.count() == 2);
      assertThat(latency.max(TimeUnit.SECONDS)).isBetween(0.0, 60.0);
      assertThat(registry.get("outbox.completion.batch").summary().totalAmount()).isEqualTo(5);
      assertThat(gauge("outbox.relay.leader")).isEqualTo(1);
      until(() -> gauge("outbox.dead") == 2);
    }
    assertThat(gauge("outbox.relay.leader")).isZero();
  }

  @Test
  void whatIsRolledBackWasNotWritten() throws Exception {
    try (RunningOutbox running = RunningOutbox.documented(registry, event -> {})) {
      try (var tx = running.database.begin()) {
        running.outbox.writer().write(order("{}"));
        tx.rollback();
      }
      running.write(order("{}"));

      assertThat(counter("outbox.written", "type", "OrderPlaced")).isEqualTo(1);
    }
  }

  @Test
  void partitionsSayWhoseTheyAreAndSinceWhichEpoch() throws Exception {
    try (RunningOutbox running = RunningOutbox.ordered(registry, 4)) {
      until(() -> partitions("outbox.partition.owner") == 4);

      assertThat(partitions("outbox.partition.epoch")).isGreaterThanOrEqualTo(4);
      assertThat(gauge("outbox.relay.leader")).isEqualTo(1);
      running.write(
          EventEnvelope.builder("OrderPlaced").aggregateId("1").payloadJson("{}").build());
      until(() -> deliveries("OrderPlaced", "delivered") == 1);
    }
    assertThat(partitions("outbox.partition.owner")).isZero();
    assertThat(gauge("outbox.relay.leader")).isZero();
  }

  @Test
  void eventTypesBeyondTheLimitShareOneName() {
    MetricsExporter metrics =
        new MicrometerMetricsExporter(registry)
            .forTable("t", MeterOptions.defaults().withMaxEventTypes(3));

    IntStream.range(0, 1000).forEach(i -> metrics.recordWritten("Type" + i, 1));
    metrics.recordWritten("Type1", 1);

    assertThat(values("type")).containsExactlyInAnyOrder("Type0", "Type1", "Type2", "other");
    assertThat(counter("outbox.written", "type", "other")).isEqualTo(997);
    assertThat(counter("outbox.written", "type", "Type1")).isEqualTo(2);
  }

  @Test
  void noTagTellsWhichEventOrWhoseItWas() throws Exception {
    try (RunningOutbox running = RunningOutbox.documented(registry, event -> {})) {
      running.write(
          EventEnvelope.builder("OrderPlaced")
              .aggregateType("Order")
              .aggregateId("4711")
              .tenantId("acme")
              .payloadJson("{}")
              .build());
      until(() -> deliveries("OrderPlaced", "delivered") == 1);

      assertThat(tags().stream().map(Tag::getKey).collect(Collectors.toSet()))
          .isSubsetOf("table", "type", "result", "partition", "phi", "le");
      assertThat(tags()).noneMatch(tag -> tag.getValue().matches(".*(4711|acme|node-).*"));
    }
  }

  @Test
  void tablesOfOneExporterStayApartAndShareWhatHasNoTags() {
    MicrometerMetricsExporter all = new MicrometerMetricsExporter(registry);
    MetricsExporter orders = all.forTable("orders");
    MetricsExporter bills = all.forTable("bills");

    orders.recordLeader(true);
    bills.recordPoll(false, Duration.ofMillis(3));
    bills.incrementLostLeases();
    orders.incrementDispatchSuccess();
    bills.incrementDispatchSuccess();
    bills.recordPartitions(2, Map.of(1, 7L));

    assertThat(registry.get("outbox.relay.leader").tag("table", "orders").gauge().value())
        .isEqualTo(1);
    assertThat(registry.get("outbox.relay.leader").tag("table", "bills").gauge().value()).isZero();
    assertThat(registry.get("outbox.leases.lost").tag("table", "bills").counter().count())
        .isEqualTo(1);
    assertThat(timer("outbox.poll.time", "table", "bills", "result", "failure").count())
        .isEqualTo(1);
    assertThat(registry.get("outbox.dispatch.success").counter().count()).isEqualTo(2);
    assertThat(registry.get("outbox.partition.epoch").tag("partition", "1").gauge().value())
        .isEqualTo(7);
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MeterOptions.defaults().withMaxEventTypes(-1))
        .withMessage("maxEventTypes must be at least 0, got: -1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MeterOptions.defaults().withPercentiles(List.of(0.5, 95.0)))
        .withMessage("percentiles must be between 0 and 1, got: 95.0");
  }

  private static EventEnvelope order(String json) {
    return EventEnvelope.ofJson("OrderPlaced", json);
  }

  private double deliveries(String type, String result) {
    return counter("outbox.deliveries", "type", type, "result", result);
  }

  private double counter(String name, String... tags) {
    var counter = registry.find(name).tags(tags).counter();
    return counter == null ? 0 : counter.count();
  }

  private Timer timer(String name, String... tags) {
    return registry.get(name).tags(tags).timer();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  private double partitions(String name) {
    return registry.find(name).gauges().stream().mapToDouble(gauge -> gauge.value()).sum();
  }

  private Set<String> values(String key) {
    return tags().stream()
        .filter(tag -> tag.getKey().equals(key))
        .map(Tag::getValue)
        .collect(Collectors.toSet());
  }

  private List<Tag> tags() {
    return registry.getMeters().stream()
        .map(Meter::getId)
        .flatMap(id -> id.getTags().stream())
        .toList();
  }

  private static void until(Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(10)).until(condition);
  }
}
