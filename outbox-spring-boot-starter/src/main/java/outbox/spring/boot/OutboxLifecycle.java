package outbox.spring.boot;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import outbox.Outbox;
import outbox.OutboxStatus;

/**
 * Starts every {@link Outbox} bean after all else, when each listener is registered, and stops it
 * before all else: listeners and DataSource are there for as long as anything is delivered.
 */
final class OutboxLifecycle implements SmartLifecycle {

  private static final Logger LOG = System.getLogger(OutboxLifecycle.class.getName());

  private final ObjectProvider<Outbox> outboxes;
  private final @Nullable OutboxFactory factory;
  private final Deque<Outbox> running = new ArrayDeque<>();
  private boolean isRunning;

  /** The factory is null if every outbox is the application's own. */
  OutboxLifecycle(ObjectProvider<Outbox> outboxes, @Nullable OutboxFactory factory) {
    this.outboxes = outboxes;
    this.factory = factory;
  }

  @Override
  public synchronized void start() {
    if (isRunning) {
      return;
    }
    try {
      outboxes.orderedStream().forEach(this::startBean);
      isRunning = true;
    } catch (RuntimeException | Error e) {
      stop();
      throw e;
    }
  }

  @Override
  public synchronized void stop() {
    isRunning = false;
    while (!running.isEmpty()) {
      running.pop().stop();
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return isRunning;
  }

  private void startBean(Outbox outbox) {
    if (outbox.status().state() == OutboxStatus.State.CLOSED) {
      LOG.log(
          Level.WARNING,
          "an Outbox bean was closed by the application and can't be started again; it delivers"
              + " nothing");
    } else if (factory != null && factory.made(outbox)) {
      factory.checkTables();
      start(outbox);
      factory.others().forEach(this::start);
    } else {
      start(outbox);
    }
  }

  private void start(Outbox outbox) {
    running.push(outbox);
    try {
      outbox.start();
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw Refusals.ofSettings(e);
    }
  }
}
