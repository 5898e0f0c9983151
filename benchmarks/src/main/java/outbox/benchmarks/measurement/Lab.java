package outbox.benchmarks.measurement;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.report.Report.Fact;
import outbox.testing.brokers.KafkaBroker;

/** What the measurements share: servers that start when first asked for, sizes, and a voice. */
public final class Lab implements AutoCloseable {

  private final Scale scale;
  private final int rounds;
  private final List<Entrant> peers;
  private final PrintStream progress;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private @Nullable Server postgres;
  private @Nullable Server mariaDb;
  private @Nullable KafkaBroker kafka;

  public Lab(Scale scale, int rounds, List<Entrant> peers, PrintStream progress) {
    this.scale = scale;
    this.rounds = rounds;
    this.peers = peers;
    this.progress = progress;
  }

  public Scale scale() {
    return scale;
  }

  public int rounds() {
    return rounds;
  }

  /** The libraries to compare with. */
  List<Entrant> peers() {
    return peers;
  }

  Server postgres() {
    Server running = postgres;
    if (running == null) {
      running = Server.postgres();
      postgres = running;
    }
    return running;
  }

  Server mariaDb() {
    Server running = mariaDb;
    if (running == null) {
      running = Server.mariaDb();
      mariaDb = running;
    }
    return running;
  }

  KafkaBroker kafka() {
    KafkaBroker running = kafka;
    if (running == null) {
      running = KafkaBroker.builder().forThroughput().start();
      kafka = running;
    }
    return running;
  }

  void say(String format, Object... arguments) {
    progress.printf(format + "%n", arguments);
  }

  void pause(Duration duration) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
  }

  /** Remembers how a contender was set up, for the report. */
  void took(String role, Entrant entrant) {
    settings.put(
        role.isEmpty() ? entrant.name() : entrant.name() + ", " + role, entrant.settings());
  }

  /** The servers that ran. */
  public List<Fact> servers() {
    List<Fact> facts = new ArrayList<>();
    if (postgres != null) {
      facts.add(
          new Fact(
              "PostgreSQL",
              postgres.version() + ", fsync=on, synchronous_commit=on, shared_buffers=512MB"));
    }
    if (mariaDb != null) {
      facts.add(
          new Fact(
              "MariaDB",
              mariaDb.version()
                  + ", innodb_flush_log_at_trx_commit=1, innodb_buffer_pool_size=512M"));
    }
    if (kafka != null) {
      facts.add(new Fact("Kafka", KafkaBroker.version() + ", one broker in KRaft mode"));
    }
    return facts;
  }

  public List<Fact> settings() {
    return settings.entrySet().stream()
        .map(entry -> new Fact(entry.getKey(), entry.getValue()))
        .toList();
  }

  @Override
  public void close() {
    if (postgres != null) {
      postgres.close();
    }
    if (mariaDb != null) {
      mariaDb.close();
    }
    if (kafka != null) {
      kafka.close();
    }
  }
}
