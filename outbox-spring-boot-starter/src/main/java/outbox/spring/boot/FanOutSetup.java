package outbox.spring.boot;

import java.util.Collection;
import java.util.concurrent.Callable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;
import outbox.Outbox;
import outbox.destination.DestinationRoutes;
import outbox.spi.Transaction;

/**
 * Says to {@link DestinationRoutes} beans, unless the application has, how to write the rows of
 * events that go to several destinations: by the outbox that the starter made. Where it made
 * several, it can't tell by which.
 */
record FanOutSetup(ListableBeanFactory beans) implements SmartInitializingSingleton {

  @Override
  public void afterSingletonsInstantiated() {
    Collection<OutboxFactory> factories = beans.getBeansOfType(OutboxFactory.class).values();
    if (factories.size() == 1) {
      factories.forEach(this::setUp);
    }
  }

  private void setUp(OutboxFactory factory) {
    Collection<DestinationRoutes> routes =
        beans.getBeansOfType(DestinationRoutes.class, false, true).values();
    for (Outbox outbox : beans.getBeansOfType(Outbox.class).values()) {
      if (factory.made(outbox)) {
        routes.stream()
            .filter(each -> !each.canFanOut())
            .forEach(each -> each.fanOutBy(outbox.writer(), transactions(factory)));
      }
    }
  }

  /** Asked for late: an application whose events have one destination each may need no manager. */
  private Callable<Transaction> transactions(OutboxFactory factory) {
    SingletonSupplier<PlatformTransactionManager> manager =
        SingletonSupplier.of(() -> new Choice(beans, factory.settings()).manager());
    return () -> SpringTransaction.begin(manager.obtain());
  }
}
