package outbox.benchmarks.contender;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.spi.Outcome;
import outbox.spi.Settlement;

/** Counts the ways that events take through a node of this library. */
public final class Traffic implements MetricsExporter {

  private final LongAdder straight = new LongAdder();
  private final LongAdder overflowed = new LongAdder();
  private final LongAdder released = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /** How many went from their commit straight to the queue. */
  public long straight() {
    return straight.sum();
  }

  /** How many were committed here and found no room in the queue. */
  public long overflowed() {
    return overflowed.sum();
  }

  /** How many this node had claimed and gave back untried. */
  public long released() {
    return released.sum();
  }

  /** How many tries failed. */
  public long failed() {
    return failed.sum();
  }

  /** The same store, which tells of what is given back. */
  OutboxStore watching(OutboxStore store) {
    InvocationHandler watch =
        (proxy, method, arguments) -> {
          if (method.getName().equals("settle")) {
            ((List<?>) arguments[1]).forEach(this::settled);
          }
          try {
            return method.invoke(store, arguments);
          } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
          }
        };
    return (OutboxStore)
        Proxy.newProxyInstance(
            Traffic.class.getClassLoader(), new Class<?>[] {OutboxStore.class}, watch);
  }

  private void settled(Object settlement) {
    if (((Settlement) settlement).outcome() instanceof Outcome.Released) {
      released.increment();
    }
  }

  @Override
  public void incrementHotEnqueued() {
    straight.increment();
  }

  @Override
  public void incrementHotDropped() {
    overflowed.increment();
  }

  @Override
  public void incrementDispatchFailure() {
    failed.increment();
  }

  @Override
  public void incrementColdEnqueued() {}

  @Override
  public void incrementDispatchSuccess() {}

  @Override
  public void incrementDispatchDead() {}

  @Override
  public void recordQueueDepths(int hotDepth, int coldDepth) {}

  @Override
  public void recordOldestLagMs(long lagMs) {}
}
