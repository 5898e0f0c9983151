package outbox.samples.kafka;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.h2.jdbcx.JdbcConnectionPool;
import outbox.testing.brokers.KafkaBroker;

/** Sends the events of some orders to Kafka, through an outage, and reads them there. */
public final class KafkaDemo {

  private static final int ORDERS = 5;
  private static final int PARTITIONS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final List<String> LIFE = List.of("OrderPlaced", "OrderPaid", "OrderShipped");
  private static final int MISUSED = 2;

  private final PrintStream out;
  private final String bootstrapServers;
  private final Runnable outage;
  private final Runnable recovery;

  private KafkaDemo(PrintStream out, String bootstrapServers, Runnable outage, Runnable recovery) {
    this.out = out;
    this.bootstrapServers = bootstrapServers;
    this.outage = outage;
    this.recovery = recovery;
  }

  public static void main(String[] args) throws Exception {
    if (args.length == 2 && args[0].equals("--bootstrap")) {
      System.exit(new KafkaDemo(System.out, args[1], () -> {}, () -> {}).run() ? 0 : 1);
    }
    if (args.length > 0) {
      System.err.println(
          "outbox kafka-demo: must be called with nothing or --bootstrap HOST:PORT, got: "
              + String.join(" ", args));
      System.exit(MISUSED);
    }
    System.exit(run(System.out) ? 0 : 1);
  }

  /** With a broker of its own. */
  static boolean run(PrintStream out) throws Exception {
    out.println("Starting a Kafka broker ...");
    try (KafkaBroker broker = KafkaBroker.builder().start()) {
      return new KafkaDemo(out, broker.address(), broker::kill, broker::start).run();
    }
  }

  private boolean run() throws Exception {
    String topic = createTopic();
    JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + topic, "sa", "");
    try (Shop shop = new Shop(pool, bootstrapServers, topic)) {
      trade(shop);
      Arrivals arrivals = Arrivals.read(bootstrapServers, topic, ORDERS * LIFE.size(), PATIENCE);
      return report(arrivals);
    } finally {
      pool.dispose();
    }
  }

  private void trade(Shop shop) throws Exception {
    for (int order = 1; order <= ORDERS; order++) {
      shop.place(order);
    }
    out.printf("%d orders placed; now the broker goes away, and business goes on%n", ORDERS);
    outage.run();
    for (int order = 1; order <= ORDERS; order++) {
      shop.pay(order);
      shop.ship(order);
    }
    out.println("all paid and shipped; now the broker comes back");
    recovery.run();
  }

  private boolean report(Arrivals arrivals) {
    arrivals.typesByOrder().forEach((order, types) -> out.printf("  %s: %s%n", order, types));
    boolean isComplete =
        arrivals.count() == ORDERS * LIFE.size()
            && arrivals.typesByOrder().values().stream().allMatch(LIFE::equals);
    out.println(
        isComplete ? "All there, and in order." : "FAILED: not all there, or not in order.");
    return isComplete;
  }

  private String createTopic() throws Exception {
    String topic = "orders-" + UUID.randomUUID();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      admin
          .createTopics(List.of(new NewTopic(topic, Optional.of(PARTITIONS), Optional.empty())))
          .all()
          .get(1, TimeUnit.MINUTES);
    }
    return topic;
  }
}
