package outbox.spring.boot;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;
import outbox.Outbox;
import outbox.OutboxStatus;

/**
 * Starts every {@link Outbox} bean of its context after all else, when each listener is registered,
 * and stops it before all else: listeners, DataSource and whatever else they need are there for as
 * long as anything is delivered.
 *
 * <p>Its phase is the last to be started and the first to be stopped, but also the one that other
 * beans have if they don't choose, and executors refuse tasks as soon as the context begins to
 * close. So it depends on all others that start and stop, and doesn't wait for its phase to come.
 */
final class OutboxLifecycle
    implements SmartLifecycle,
        SmartInitializingSingleton,
        ApplicationListener<ContextClosedEvent>,
        Ordered {

  static final String BEAN = "outboxLifecycle";

  private static final Logger LOG = System.getLogger(OutboxLifecycle.class.getName());

  private final ConfigurableApplicationContext context;
  private final ObjectProvider<Outbox> outboxes;
  private final ObjectProvider<OutboxFactory> factories;
  private final Deque<Outbox> running = new ArrayDeque<>();
  private boolean isRunning;

  /**
   * @param outboxes in their order, and with those of parent contexts, which have lifecycles of
   *     their own
   */
  OutboxLifecycle(
      ConfigurableApplicationContext context,
      ObjectProvider<Outbox> outboxes,
      ObjectProvider<OutboxFactory> factories) {
    this.context = context;
    this.outboxes = outboxes;
    this.factories = factories;
  }

  /** Spring starts a bean after those that it depends on, and stops it before them. */
  @Override
  public void afterSingletonsInstantiated() {
    ConfigurableListableBeanFactory beans = context.getBeanFactory();
    Set<String> after = new HashSet<>();
    addDependents(BEAN, after);
    for (String name : beans.getBeanNamesForType(SmartLifecycle.class, false, false)) {
      String other = BeanFactoryUtils.transformedBeanName(name);
      if (!after.contains(other)) {
        beans.registerDependentBean(other, BEAN);
      }
    }
  }

  /** And itself. */
  private void addDependents(String bean, Set<String> all) {
    if (all.add(bean)) {
      for (String dependent : context.getBeanFactory().getDependentBeans(bean)) {
        addDependents(dependent, all);
      }
    }
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  /** Whoever closes the context waits, whatever the application's multicaster does. */
  @Override
  public boolean supportsAsyncExecution() {
    return false;
  }

  /** Also told of contexts below this one, which change nothing. */
  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    if (event.getApplicationContext() == context) {
      stop();
    }
  }

  @Override
  public synchronized void start() {
    if (isRunning) {
      return;
    }
    try {
      Collection<Outbox> ofThisContext = context.getBeansOfType(Outbox.class).values();
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
