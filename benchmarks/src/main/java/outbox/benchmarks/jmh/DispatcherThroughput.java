package outbox.benchmarks.jmh;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import outbox.EventEnvelope;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.QueuedEvent;
import outbox.dispatch.QueuedEvent.Source;
import outbox.registry.DefaultListenerRegistry;

/**
 * Events per second through the dispatcher alone: four workers, default queues, a listener and a
 * store that do nothing, one thread that enqueues as fast as it is let in. An event counts when its
 * status was written.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@SuppressWarnings("NullAway.Init") // fields are set before each run
public class DispatcherThroughput {

  private static final int EVENTS = 50_000;

  /** Which queue the events go through; MIXED alternates. */
  @Param({"HOT", "COLD", "MIXED"})
  public String path;

  private final NoDatabase store = new NoDatabase();
  private OutboxDispatcher dispatcher;
  private List<QueuedEvent> events;

  @Setup
  public void start() {
    dispatcher =
        OutboxDispatcher.builder()
            .connectionProvider(NoDatabase.noConnections())
            .outboxStore(store)
            .listenerRegistry(new DefaultListenerRegistry().register("Tick", event -> {}))
            .workerCount(4)
            .build();
    events = IntStream.range(0, EVENTS).mapToObj(this::event).toList();
  }

  @TearDown
  public void stop() {
    dispatcher.close();
  }

  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public long deliver() {
    long goal = store.completed() + EVENTS;
    for (QueuedEvent event : events) {
      while (!enqueue(event)) {
        LockSupport.parkNanos(1_000);
      }
    }
    while (store.completed() < goal) {
      LockSupport.parkNanos(1_000);
    }
    return goal;
  }

  private boolean enqueue(QueuedEvent event) {
    return event.source() == Source.HOT
        ? dispatcher.enqueueHot(event)
        : dispatcher.enqueueCold(event);
  }

  private QueuedEvent event(int i) {
    boolean hot = path.equals("HOT") || (path.equals("MIXED") && i % 2 == 0);
    return new QueuedEvent(EventEnvelope.ofJson("Tick", "{}"), hot ? Source.HOT : Source.COLD, 0);
  }
}
