package outbox.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
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

/** How long it takes from enqueueing into an idle dispatcher until a worker calls the listener. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@SuppressWarnings("NullAway.Init") // fields are set before each run
public class DispatcherHandover {

  private volatile boolean delivered;
  private QueuedEvent next;
  private OutboxDispatcher dispatcher;

  @Setup
  public void start() {
    dispatcher =
        OutboxDispatcher.builder()
            .connectionProvider(NoDatabase.noConnections())
            .outboxStore(new NoDatabase())
            .listenerRegistry(
                new DefaultListenerRegistry().register("Tick", event -> delivered = true))
            .workerCount(4)
            .build();
  }

  @TearDown
  public void stop() {
    dispatcher.close();
  }

  /** Lets every worker fall asleep first: this is about an idle dispatcher. */
  @Setup(Level.Invocation)
  public void idle() {
    delivered = false;
    next = new QueuedEvent(EventEnvelope.ofJson("Tick", "{}"), Source.HOT, 0);
    LockSupport.parkNanos(2_000_000);
  }

  @Benchmark
  public boolean handOver() {
    dispatcher.enqueueHot(next);
    while (!delivered) {
      Thread.onSpinWait();
    }
    return delivered;
  }
}
