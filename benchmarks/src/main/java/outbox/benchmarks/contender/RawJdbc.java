package outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * The raw limit: hand-written JDBC with nothing in between, doing the same durable work as a
 * library would.
 */
final class RawJdbc implements Contender {

  /** How it is tuned; the harness tries several and keeps the fastest. */
  record Tuning(int batch, int threads, int fillFactor, Writers writers) {

    String title() {
      return "batches of %d, %d thread%s, fill factor %d, %s"
          .formatted(batch, threads, threads == 1 ? "" : "s", fillFactor, writers.title);
    }
  }

  /** Where a writer has its connection from. */
  enum Writers {
    /** The pool, for every transaction, as applications do. */
    POOLED("writers take a connection from the pool for each transaction"),
    /** Itself: one connection for ever, with its statements prepared. */
    OWN_CONNECTION("each writer keeps a connection of its own");

    private final String title;

    Writers(String title) {
      this.title = title;
    }
  }

  private static final int FILL_BATCH = 1_000;
  private static final long IDLE_NANOS = 1_000_000;

  private final DataSource dataSource;
  private final RawTable table;
  private final Setup setup;
  private final Tuning tuning;
  private final Queue<Session> sessions = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Session> session = ThreadLocal.withInitial(this::openSession);
  private final List<Thread> relays = new ArrayList<>();
  private volatile boolean closed;

  RawJdbc(Setup setup, RawTable table, Tuning tuning) {
    this.setup = setup;
    this.dataSource = setup.dataSource();
    this.table = table;
    this.tuning = tuning;
  }

  @Override
  public void createTables() throws SQLException {
    BusinessTable.create(dataSource);
    BusinessTable.execute(dataSource, table.ddl(tuning.fillFactor()).toArray(String[]::new));
  }

  @Override
  public void write(long id) throws SQLException {
    if (tuning.writers() == Writers.OWN_CONNECTION) {
      session.get().write(id);
      return;
    }
    try (Session pooled = new Session(dataSource.getConnection(), table.insert())) {
      pooled.write(id);
    }
  }

  @Override
  public void fill(long from, long to) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement insert = connection.prepareStatement(table.insert())) {
        for (long id = from; id < to; id++) {
          insert.setString(1, Payload.of(id));
          insert.addBatch();
          if ((id - from + 1) % FILL_BATCH == 0 || id == to - 1) {
            insert.executeBatch();
            connection.commit();
          }
        }
      } finally {
        connection.setAutoCommit(true);
      }
    }
  }

  @Override
  public void start(EventSink sink) {
    for (int i = 1; i <= tuning.threads(); i++) {
      Thread relay = new Thread(() -> relay(sink), setup.node() + "-raw-" + i);
      relays.add(relay);
      relay.start();
    }
  }

  @Override
  public long pending() throws SQLException {
    return RowCount.of(dataSource, "SELECT count(*) FROM raw_event WHERE status = 0");
  }

  @Override
  public void close() {
    closed = true;
    relays.forEach(RawJdbc::join);
    sessions.forEach(Session::close);
  }

  private void relay(EventSink sink) {
    try (Connection connection = dataSource.getConnection()) {
      while (!closed) {
        try {
          relayBatch(connection, sink);
        } catch (SQLTransactionRollbackException e) {
          // A deadlock with the other thread, which MariaDB's gap locks allow: the next try has it.
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the raw relay failed", e);
    }
  }

  private void relayBatch(Connection connection, EventSink sink) throws SQLException {
    List<RawTable.Claimed> events = table.claim(connection, setup.node(), tuning.batch());
    if (events.isEmpty()) {
      LockSupport.parkNanos(IDLE_NANOS);
      return;
    }
    events.forEach(event -> sink.delivered(Payload.id(event.payload())));
    table.complete(connection, events, setup.completion());
  }

  private Session openSession() {
    try {
      Session opened = new Session(dataSource.getConnection(), table.insert());
      sessions.add(opened);
      return opened;
    } catch (SQLException e) {
      throw new IllegalStateException("no connection for a raw writer", e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A writer's connection with both statements prepared. */
  private static final class Session implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement business;
    private final PreparedStatement event;

    Session(Connection connection, String insert) throws SQLException {
      this.connection = connection;
      connection.setAutoCommit(false);
      this.business = BusinessTable.prepare(connection);
      this.event = connection.prepareStatement(insert);
    }

    void write(long id) throws SQLException {
      BusinessTable.bind(business, id);
      business.executeUpdate();
      event.setString(1, Payload.of(id));
      event.executeUpdate();
      connection.commit();
    }

    @Override
    public void close() {
      try {
        business.close();
        event.close();
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException("a raw writer's connection can't be closed", e);
      }
    }
  }
}
