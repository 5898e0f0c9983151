package outbox.samples.demo.story;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import outbox.samples.demo.shop.Checkout;
import outbox.samples.demo.shop.Order;
import outbox.samples.demo.shop.Shop;
import outbox.util.DaemonThreadFactory;

/** Everyday customers: about {@value #ORDERS_PER_SECOND} orders a second, one in ten declined. */
final class Traffic {

  static final int ORDERS_PER_SECOND = 120;

  private static final int DECLINED = 10;
  private static final int TILLS = 2;

  private final Shop shop;
  private final Checkout checkout;
  private final Consumer<Order> onFirstDecline;
  private final ScheduledExecutorService customers =
      Executors.newScheduledThreadPool(TILLS, new DaemonThreadFactory("customer-"));
  private final List<Future<?>> tills = new ArrayList<>();
  private final AtomicInteger served = new AtomicInteger();

  Traffic(Shop shop, Consumer<Order> onFirstDecline) {
    this.shop = shop;
    this.checkout = shop.checkout();
    this.onFirstDecline = onFirstDecline;
  }

  void start() {
    long period = TILLS * TimeUnit.SECONDS.toNanos(1) / ORDERS_PER_SECOND;
    for (int till = 0; till < TILLS; till++) {
      long delay = till * period / TILLS;
      tills.add(customers.scheduleAtFixedRate(this::serve, delay, period, TimeUnit.NANOSECONDS));
    }
  }

  /** Lets the customers who are at a till finish; throws what stopped one early. */
  void stop() throws InterruptedException, ExecutionException {
    customers.shutdown();
    customers.awaitTermination(10, TimeUnit.SECONDS);
    for (Future<?> till : tills) {
      if (!till.isCancelled()) {
        till.get();
      }
    }
  }

  private void serve() {
    Order order = shop.nextOrder();
    int number = served.incrementAndGet();
    try {
      if (number % DECLINED != 0) {
        checkout.place(order);
        return;
      }
      checkout.placeDeclined(order);
      if (number == DECLINED) {
        onFirstDecline.accept(order);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("could not place " + order.id(), e);
    }
  }
}
