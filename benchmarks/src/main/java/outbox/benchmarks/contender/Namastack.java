package outbox.benchmarks.contender;

import io.namastack.outbox.Outbox;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** namastack-outbox with its JDBC starter: a key per event, a typed handler. */
final class Namastack implements Contender {

  static final String SETTINGS =
      "JDBC starter, fixed polling every 10 ms, batch-size 1000, 8 to 16 threads,"
          + " delete-completed-records as measured, a key of its own per event";

  private static final int FILL_BATCH = 1_000;
  private static final String SCHEDULING =
      ",io.namastack.outbox.config.OutboxCoreSchedulingAutoConfiguration";
  private static final String MODULITH_CONFIGURATIONS =
      "org.springframework.modulith.events.config.EventPublicationAutoConfiguration,"
          + "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration,"
          + "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration";

  private final Setup setup;
  private final DataSource dataSource;
  private final LateSink sink = new LateSink();
  private @Nullable SpringPeer peer;

  Namastack(Setup setup) {
    this.setup = setup;
    this.dataSource = setup.dataSource();
  }

  /** The event; namastack stores it as JSON. */
  record Tick(String payload) {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    TickHandler tickHandler(SpringPeer.Listening listening) {
      return new TickHandler(listening);
    }
  }

  /** The listener. */
  static class TickHandler implements OutboxTypedHandler<Tick> {
    private final SpringPeer.Listening listening;

    TickHandler(SpringPeer.Listening listening) {
      this.listening = listening;
    }

    @Override
    public void handle(Tick tick, OutboxRecordMetadata metadata) {
      listening.delivered(tick.payload());
    }
  }

  @Override
  public void createTables() throws SQLException {
    BusinessTable.create(dataSource);
    application();
  }

  @Override
  public void write(long id) {
    SpringPeer application = application();
    application
        .transactions()
        .run(
            connection -> {
              BusinessTable.insert(connection, id);
              schedule(application, id);
            });
  }

  @Override
  public void fill(long from, long to) {
    SpringPeer application = application();
    for (long start = from; start < to; start += FILL_BATCH) {
      long first = start;
      long end = Math.min(to, start + FILL_BATCH);
      application
          .transactions()
          .run(
              connection -> {
                for (long id = first; id < end; id++) {
                  schedule(application, id);
                }
              });
    }
  }

  @Override
  public synchronized void start(EventSink newSink) throws SQLException {
    sink.set(newSink);
    close();
    // Else it would wait half a minute for the application that only wrote.
    BusinessTable.execute(
        dataSource, "DELETE FROM outbox_partition", "DELETE FROM outbox_instance");
    peer = open("");
  }

  @Override
  public long pending() throws SQLException {
    return RowCount.of(dataSource, "SELECT count(*) FROM outbox_record WHERE status = 'NEW'");
  }

  @Override
  public synchronized void close() {
    if (peer != null) {
      peer.close();
      peer = null;
    }
  }

  private static void schedule(SpringPeer application, long id) {
    application.bean(Outbox.class).schedule(new Tick(Payload.of(id)), Long.toString(id));
  }

  private synchronized SpringPeer application() {
    SpringPeer running = peer;
    if (running == null) {
      running = open(SCHEDULING);
      peer = running;
    }
    return running;
  }

  /** Without scheduling it only writes. */
  private SpringPeer open(String without) {
    return SpringPeer.start(
        Application.class,
        dataSource,
        sink,
        Map.of(
            "spring.autoconfigure.exclude",
            MODULITH_CONFIGURATIONS + without,
            "namastack.outbox.polling.batch-size",
            1_000,
            "namastack.outbox.polling.fixed.interval",
            "10ms",
            "namastack.outbox.processing.executor-core-pool-size",
            8,
            "namastack.outbox.processing.executor-max-pool-size",
            16,
            "namastack.outbox.processing.delete-completed-records",
            setup.completion() == Completion.DELETE));
  }
}
