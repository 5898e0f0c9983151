package outbox.benchmarks.contender;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** db-scheduler with one one-time task per event; a finished task's row is deleted. */
final class DbScheduler implements Contender {

  static final String SETTINGS =
      "one-time tasks, lock-and-fetch (4.0, 20.0), 20 threads, polling interval 50 ms, a check"
          + " triggered after every commit, UTF-8 serializer,"
          + " TransactionAwareDataSourceProxy for scheduling within the transaction";

  private static final int THREADS = 20;
  private static final int FILL_BATCH = 1_000;

  private final DataSource dataSource;
  private final SpringTransactions transactions;
  private final LateSink sink = new LateSink();
  private final OneTimeTask<String> task =
      Tasks.oneTime("tick", String.class)
          .execute((instance, context) -> sink.delivered(Payload.id(instance.getData())));
  private final SchedulerClient client;
  private volatile @Nullable Scheduler scheduler;

  DbScheduler(Setup setup) {
    dataSource = setup.dataSource();
    transactions = new SpringTransactions(dataSource);
    client =
        SchedulerClient.Builder.create(new TransactionAwareDataSourceProxy(dataSource), task)
            .serializer(new Utf8())
            .build();
  }

  /** The table of its documentation. */
  @Override
  public void createTables() throws SQLException {
    BusinessTable.create(dataSource);
    BusinessTable.execute(
        dataSource,
        """
        CREATE TABLE scheduled_tasks (
          task_name            TEXT NOT NULL,
          task_instance        TEXT NOT NULL,
          task_data            BYTEA,
          execution_time       TIMESTAMPTZ NOT NULL,
          picked               BOOLEAN NOT NULL,
          picked_by            TEXT,
          last_success         TIMESTAMPTZ,
          last_failure         TIMESTAMPTZ,
          consecutive_failures INT,
          last_heartbeat       TIMESTAMPTZ,
          version              BIGINT NOT NULL,
          priority             SMALLINT,
          PRIMARY KEY (task_name, task_instance)
        )
        """,
        "CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)",
        "CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
  }

  @Override
  public void write(long id) {
    transactions.run(
        connection -> {
          BusinessTable.insert(connection, id);
          client.scheduleIfNotExists(instance(id), Instant.now());
        });
    Scheduler started = scheduler;
    if (started != null) {
      started.triggerCheckForDueExecutions();
    }
  }

  @Override
  public void fill(long from, long to) {
    for (long start = from; start < to; start += FILL_BATCH) {
      List<TaskInstance<?>> batch =
          LongStream.range(start, Math.min(to, start + FILL_BATCH))
              .<TaskInstance<?>>mapToObj(this::instance)
              .toList();
      transactions.run(connection -> client.scheduleBatch(batch, Instant.now()));
    }
  }

  @Override
  public void start(EventSink newSink) {
    sink.set(newSink);
    Scheduler starting =
        Scheduler.create(dataSource, task)
            .threads(THREADS)
            .pollUsingLockAndFetch(4.0, 20.0)
            .pollingInterval(Duration.ofMillis(50))
            .serializer(new Utf8())
            .shutdownMaxWait(Duration.ofSeconds(5))
            .build();
    starting.start();
    scheduler = starting;
  }

  @Override
  public long pending() throws SQLException {
    return RowCount.of(dataSource, "SELECT count(*) FROM scheduled_tasks");
  }

  @Override
  public void close() {
    Scheduler stopping = scheduler;
    if (stopping != null) {
      stopping.stop();
    }
  }

  private TaskInstance<String> instance(long id) {
    return task.instance(Long.toString(id), Payload.of(id));
  }

  /** The payload's own bytes instead of Java serialization. */
  private static final class Utf8 implements Serializer {
    @Override
    public byte[] serialize(@Nullable Object data) {
      return String.valueOf(data).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> T deserialize(Class<T> type, byte[] bytes) {
      return type.cast(new String(bytes, StandardCharsets.UTF_8));
    }
  }
}
