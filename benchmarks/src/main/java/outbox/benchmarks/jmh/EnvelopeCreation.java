package outbox.benchmarks.jmh;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import outbox.EventEnvelope;
import outbox.util.JsonCodec;
import outbox.util.Nullable;

/** What the business thread pays before the INSERT: an envelope with its ULID, headers as JSON. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class EnvelopeCreation {

  private final String payload = "{\"text\":\"" + "x".repeat(280) + "\"}";
  private final Map<String, String> headers =
      Map.of("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "a", "ö\n");
  private final JsonCodec codec = JsonCodec.getDefault();
  private final @Nullable String json = codec.toJson(headers);

  @Benchmark
  public EventEnvelope create() {
    return EventEnvelope.ofJson("Tick", payload);
  }

  /** Ids are monotonic, so threads meet there. */
  @Benchmark
  @Threads(8)
  public EventEnvelope createByEightThreads() {
    return EventEnvelope.ofJson("Tick", payload);
  }

  @Benchmark
  public @Nullable String writeHeaders() {
    return codec.toJson(headers);
  }

  @Benchmark
  public Map<String, @Nullable String> readHeaders() {
    return codec.parseObject(json);
  }
}
