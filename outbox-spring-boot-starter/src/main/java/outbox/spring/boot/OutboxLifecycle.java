package outbox.spring.boot;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import outbox.Outbox;
import outbox.OutboxStatus;

/**
 * Starts every {@link Outbox} bean of its context after all else, when each listener is registered,
 * and stops it before all else: listeners and DataSource are there for as long as anything is
 * delivered.
 */
final class OutboxLifecycle implements SmartLifecycle {

  private static final Logger LOG = System.getLogger(OutboxLifecycle.class.getName());

  private final ListableBeanFactory beans;
  private final ObjectProvider<Outbox> outboxes;
  private final ObjectProvider<OutboxFactory> factories;
  private final Deque<Outbox> running = new ArrayDeque<>();
  private boolean isRunning;

  /**
   * @param outboxes in their order, and with those of parent contexts, which have lifecycles of
   *     their own
   */
  OutboxLifecycle(
      ListableBeanFactory beans,
      ObjectProvider<Outbox> outboxes,
      ObjectProvider<OutboxFactory> factories) {
    this.beans = beans;
    this.outboxes = outboxes;
    this.factories = factories;
  }

  @Override
  public synchronized void start() {
    if (isRunning) {
      return;
    }
    try {
      Collection<Outbox> ofThisContext = beans.getBeansOfType(Outbox.class).values();
      outboxes.orderedStream().filter(ofThisContext::contains).forEach(this::startBean);
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
      return;
    }
    Optional<OutboxFactory> maker =
        factories.stream().filter(factory -> factory.made(outbox)).findFirst();
    maker.ifPresent(OutboxFactory::checkTables);
    start(outbox);
    maker.ifPresent(factory -> factory.others().forEach(this::start));
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
