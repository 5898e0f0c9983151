package outbox.faults.node;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** A part of a node that takes every connection it can get, while the switch names its node. */
final class Hoard implements AutoCloseable {

  private static final long GLANCE_NANOS = 20_000_000;

  private final DataSource pool;
  private final Switches switches;
  private final String node;
  private final Deque<Connection> taken = new ArrayDeque<>();
  private final Thread thread = new Thread(this::run, "hoard");
  private volatile boolean isClosed;

  Hoard(DataSource pool, Switches switches, String node) {
    this.pool = pool;
    this.switches = switches;
    this.node = node;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!isClosed) {
      if (switches.value(Switches.HOARD, "").equals(node)) {
        take();
      } else {
        giveBack();
      }
      LockSupport.parkNanos(GLANCE_NANOS);
    }
    giveBack();
  }

  private void take() {
    try {
      taken.add(pool.getConnection());
    } catch (SQLException e) {
      // All of them are taken, by us or by others; those we get as they come back.
    }
  }

  private void giveBack() {
    while (!taken.isEmpty()) {
      try {
        taken.remove().close();
      } catch (SQLException e) {
        // The pool has closed it.
      }
    }
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
