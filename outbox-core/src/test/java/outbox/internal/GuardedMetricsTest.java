package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import outbox.spi.MetricsExporter;

class GuardedMetricsTest {

  private static final List<Consumer<MetricsExporter>> CALLS =
      List.of(
          MetricsExporter::incrementHotEnqueued,
          MetricsExporter::incrementHotDropped,
          MetricsExporter::incrementColdEnqueued,
          MetricsExporter::incrementDispatchSuccess,
          MetricsExporter::incrementDispatchFailure,
          MetricsExporter::incrementDispatchDead,
          metrics -> metrics.recordQueueDepths(1, 2),
          metrics -> metrics.recordOldestLagMs(3),
          metrics -> metrics.recordWritten("T", 1),
          metrics -> metrics.recordDelivered("T", Duration.ZERO),
          metrics -> metrics.recordFailed("T"),
          metrics -> metrics.recordDead("T"),
          metrics -> metrics.recordListenerTime("T", true, Duration.ZERO),
          metrics -> metrics.recordCompletions(1),
          metrics -> metrics.recordPoll(true, Duration.ZERO),
          MetricsExporter::incrementLostLeases,
          metrics -> metrics.recordLeader(true),
          metrics -> metrics.recordPartitions(1, Map.of()));

  @Test
  void everyMeasurementIsPassedOnAndNoFailureComesBack() {
    List<String> called = new ArrayList<>();
    MetricsExporter broken =
        (MetricsExporter)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {MetricsExporter.class},
                (proxy, method, arguments) -> {
                  called.add(method.getName());
                  throw new AssertionError(method.getName());
                });
    MetricsExporter guarded = GuardedMetrics.guard(broken);

    assertThatCode(() -> CALLS.forEach(call -> call.accept(guarded))).doesNotThrowAnyException();

    assertThat(called)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(MetricsExporter.class.getMethods()).map(Method::getName).toList());
  }

  @Test
  void nothingIsGuardedTwiceOrInVain() {
    assertThat(GuardedMetrics.guard(MetricsExporter.NOOP)).isSameAs(MetricsExporter.NOOP);
    MetricsExporter guarded = GuardedMetrics.guard(new NoopLike());
    assertThat(GuardedMetrics.guard(guarded)).isSameAs(guarded);
  }

  @Test
  void noopDoesNothing() {
    assertThatCode(() -> CALLS.forEach(call -> call.accept(MetricsExporter.NOOP)))
        .doesNotThrowAnyException();
  }

  private static final class NoopLike implements MetricsExporter {
    @Override
    public void incrementHotEnqueued() {}

    @Override
    public void incrementHotDropped() {}

    @Override
    public void incrementColdEnqueued() {}

    @Override
    public void incrementDispatchSuccess() {}

    @Override
    public void incrementDispatchFailure() {}

    @Override
    public void incrementDispatchDead() {}

    @Override
    public void recordQueueDepths(int hotDepth, int coldDepth) {}

    @Override
    public void recordOldestLagMs(long lagMs) {}
  }
}
