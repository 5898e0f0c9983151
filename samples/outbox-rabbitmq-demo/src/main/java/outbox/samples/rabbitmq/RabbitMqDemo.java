package outbox.samples.rabbitmq;

import java.io.PrintStream;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;

/** Takes events to a queue, past a missing binding and past an outage of the broker. */
public final class RabbitMqDemo {

  private final PrintStream out;
  private boolean allHeld = true;

  private RabbitMqDemo(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.err.println("rabbitmq-demo: takes no options, got: " + args[0]);
      System.exit(2);
    }
    LogManager.getLogManager().reset(); // the trouble shown here is meant
    System.exit(run(System.out) ? 0 : 1);
  }

  /** Returns whether everything was as it should be. */
  static boolean run(PrintStream out) throws Exception {
    RabbitMqDemo demo = new RabbitMqDemo(out);
    try (EmbeddedBroker broker = new EmbeddedBroker();
        Shop shop = new Shop(broker.uri())) {
      demo.deliver(shop, broker);
      demo.outage(shop, broker);
    }
    out.println(demo.allHeld ? "\nAll as it should be." : "\nNot all as it should be.");
    return demo.allHeld;
  }

  private void deliver(Shop shop, EmbeddedBroker broker) throws Exception {
    try (Warehouse warehouse = new Warehouse(broker.uri())) {
      out.println("An order is committed and reaches the queue");
      shop.place("order-1");
      holds("order.placed of order-1", warehouse.next());

      out.println("No queue is bound for cancellations: the event is tried again until one is");
      shop.cancel("order-1");
      warehouse.bind("order.cancelled");
      holds("order.cancelled of order-1", warehouse.next());
    }
  }

  private void outage(Shop shop, EmbeddedBroker broker) throws Exception {
    out.println("The broker goes away; orders are committed all the same");
    broker.close();
    shop.place("order-2");
    shop.place("order-3");

    out.println("The broker is back");
    broker.start();
    try (Warehouse warehouse = new Warehouse(broker.uri())) {
      String first = warehouse.next();
      String second = warehouse.next();
      boolean isInOrder = "order.placed of order-2".equals(first);
      holds("order.placed of order-2", isInOrder ? first : second);
      holds("order.placed of order-3", isInOrder ? second : first);
    }
  }

  private void holds(String expected, @Nullable String received) {
    boolean held = expected.equals(received);
    allHeld &= held;
    out.printf("  %s: expected %s, received %s%n", held ? "ok" : "FAILED", expected, received);
  }
}
