package outbox.benchmarks.contender;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.event.TransactionalEventListener;

/** Spring Modulith's JDBC event publication registry with an asynchronous listener. */
final class Modulith implements Contender {

  static final String SETTINGS =
      "@Async @TransactionalEventListener on 8 threads, completion-mode as measured, a backlog"
          + " by resubmitIncompletePublicationsOlderThan";

  private static final int FILL_BATCH = 1_000;
  private static final int THREADS = 8;

  private final DataSource dataSource;
  private final LateSink sink = new LateSink();
  private final Setup setup;
  private @Nullable SpringPeer peer;
  private @Nullable Thread resubmission;
  private volatile boolean closed;

  Modulith(Setup setup) {
    this.setup = setup;
    this.dataSource = setup.dataSource();
  }

  /** The event; Modulith stores it as JSON. */
  record Tick(String payload) {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableAsync
  static class Application {
    @Bean
    TickListener tickListener(SpringPeer.Listening listening) {
      return new TickListener(listening);
    }

    @Bean(destroyMethod = "shutdown")
    Gate taskExecutor() {
      return new Gate();
    }
  }

  /** The listener. */
  static class TickListener {
    private final SpringPeer.Listening listening;

    TickListener(SpringPeer.Listening listening) {
      this.listening = listening;
    }

    @Async
    @TransactionalEventListener
    public void on(Tick tick) {
      listening.delivered(tick.payload());
    }
  }

  /** Runs listeners once it is open; before, publications stay incomplete, as after a crash. */
  static class Gate implements Executor {
    private final ThreadPoolExecutor pool =
        new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
    private volatile boolean open;

    void open() {
      open = true;
    }

    @Override
    public void execute(Runnable task) {
      if (open) {
        pool.execute(task);
      }
    }

    public void shutdown() {
      pool.shutdownNow();
    }
  }

  @Override
  public void createTables() throws SQLException {
    BusinessTable.create(dataSource);
    peer();
  }

  @Override
  public void write(long id) {
    SpringPeer application = peer();
    application
        .transactions()
        .run(
            connection -> {
              BusinessTable.insert(connection, id);
              application.publish(tick(id));
            });
  }

  @Override
  public void fill(long from, long to) {
    SpringPeer application = peer();
    for (long start = from; start < to; start += FILL_BATCH) {
      long first = start;
      long end = Math.min(to, start + FILL_BATCH);
      application
          .transactions()
          .run(
              connection -> {
                for (long id = first; id < end; id++) {
                  application.publish(tick(id));
                }
              });
    }
  }

  @Override
  public void start(EventSink newSink) throws SQLException {
    sink.set(newSink);
    SpringPeer application = peer();
    boolean backlog = pending() > 0;
    application.bean(Gate.class).open();
    if (backlog) {
      resubmission = new Thread(() -> resubmit(application), "modulith-resubmission");
      resubmission.start();
    }
  }

  @Override
  public long pending() throws SQLException {
    return RowCount.of(
        dataSource, "SELECT count(*) FROM event_publication WHERE completion_date IS NULL");
  }

  @Override
  public void close() {
    closed = true;
    if (resubmission != null) {
      resubmission.interrupt();
    }
    if (peer != null) {
      peer.close();
    }
  }

  private static Tick tick(long id) {
    return new Tick(Payload.of(id));
  }

  /** What a backlog needs: after a crash its publications are incomplete, not failed. */
  private void resubmit(SpringPeer application) {
    try {
      application
          .bean(IncompleteEventPublications.class)
          .resubmitIncompletePublicationsOlderThan(Duration.ZERO);
    } catch (RuntimeException e) {
      if (!closed) {
        throw e;
      }
    }
  }

  private synchronized SpringPeer peer() {
    SpringPeer running = peer;
    if (running == null) {
      running =
          SpringPeer.start(
              Application.class,
              dataSource,
              sink,
              Map.of(
                  "namastack.outbox.enabled", false,
                  "spring.modulith.events.jdbc.schema-initialization.enabled", true,
                  "spring.modulith.events.completion-mode",
                      setup.completion() == Completion.KEEP ? "update" : "delete"));
      peer = running;
    }
    return running;
  }
}
