package outbox.benchmarks.measurement;

import com.zaxxer.hikari.HikariDataSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.OurOutbox;
import outbox.benchmarks.contender.Payload;
import outbox.benchmarks.contender.Setup;

/** Takes the arguments of {@link RelayProcess} and keeps a payload for every event it delivers. */
final class HoardingRelay {

  private HoardingRelay() {}

  public static void main(String[] arguments) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING);
    Queue<String> kept = new ConcurrentLinkedQueue<>();
    CountDownLatch left = new CountDownLatch(Integer.parseInt(arguments[2]));
    try (HikariDataSource pool = Stage.pool(arguments[0]);
        OurOutbox relay =
            new OurOutbox(
                new Setup(pool, Completion.KEEP, "hoarder"), OurOutbox.Tuning.THROUGHPUT)) {
      relay.start(
          id -> {
            kept.add(Payload.of(id));
            left.countDown();
          });
      left.await();
    }
    System.out.println(kept.size() + " 0.0");
  }
}
