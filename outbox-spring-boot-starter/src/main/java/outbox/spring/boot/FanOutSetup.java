package outbox.spring.boot;

import java.util.Collection;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;
import outbox.Outbox;
import outbox.destination.DestinationRoutes;
import outbox.spi.Transaction;

/**
 * Says to the {@link DestinationRoutes} of the outbox that the starter made, unless the application
 * has, how to write the rows of events that go to several destinations: by that outbox, for as long
 * as its context is there.
 *
 * <p>Only where rows that are written come back to these routes, and nothing else does. Of several
 * outboxes, or tables, it can't tell which one the rows belong to; a row in a table that others
 * deliver from would be unroutable there. Then such events wait, and a WARNING says so.
 */
final class FanOutSetup implements SmartInitializingSingleton, DisposableBean {

  private final ListableBeanFactory beans;
  private @Nullable DestinationRoutes setUp;

  FanOutSetup(ListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public void afterSingletonsInstantiated() {
    Collection<OutboxFactory> factories = beans.getBeansOfType(OutboxFactory.class).values();
    if (factories.size() == 1) {
      factories.forEach(this::setUp);
    }
  }

  /** The routes may be those of a parent context, and outlive the outbox. */
  @Override
  public void destroy() {
    if (setUp != null) {
      setUp.fanOutNoMore();
    }
  }

  private void setUp(OutboxFactory factory) {
    if (factory.settings().deliversOnlyWhatItWrites()
        && factory.listeners() instanceof DestinationRoutes routes
        && !routes.canFanOut()) {
      beans.getBeansOfType(Outbox.class).values().stream()
          .filter(factory::made)
          .forEach(outbox -> setUp(routes, outbox, factory));
    }
  }

  private void setUp(DestinationRoutes routes, Outbox outbox, OutboxFactory factory) {
    routes.fanOutBy(outbox.writer(), transactions(factory));
    setUp = routes;
  }

  /** Asked for late: an application whose events have one destination each may need no manager. */
  private Callable<Transaction> transactions(OutboxFactory factory) {
    SingletonSupplier<PlatformTransactionManager> manager =
        SingletonSupplier.of(() -> new Choice(beans, factory.settings()).manager());
    return () -> SpringTransaction.begin(manager.obtain());
  }
}
