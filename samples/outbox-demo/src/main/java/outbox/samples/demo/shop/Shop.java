package outbox.samples.demo.shop;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import outbox.jdbc.schema.OutboxSchema;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.samples.demo.books.Counters;
import outbox.samples.demo.books.Ledger;

/** A shop with a database of its own, its outbox, and the two services that hear of its orders. */
public final class Shop implements AutoCloseable {

  private static final String[] ITEMS = {
    "espresso machine", "desk lamp", "rain jacket", "chess set", "bread knife", "tea pot"
  };

  private final HikariDataSource dataSource;
  private final Ledger ledger = new Ledger();
  private final Counters counters = new Counters();
  private final Destination warehouse = new Destination(ledger);
  private final Destination invoicing = new Destination(ledger);
  private final OrderOutbox outbox;
  private final Orders orders;
  private final AtomicInteger lastOrder = new AtomicInteger(1000);

  public Shop() throws SQLException {
    dataSource = database();
    Orders.createTable(dataSource);
    OutboxSchema.detect(dataSource).apply(dataSource);
    outbox = new OrderOutbox(dataSource, listeners(), counters);
    orders = new Orders(outbox.txContext(), ledger);
  }

  private static HikariDataSource database() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:shop-" + UUID.randomUUID() + ";DB_CLOSE_ON_EXIT=FALSE");
    return new HikariDataSource(config);
  }

  private ListenerRegistry listeners() {
    // docs:begin listener
    DefaultListenerRegistry listeners = new DefaultListenerRegistry();
    listeners.register("Order", "OrderPlaced", event -> warehouse.receive(event));
    listeners.register("Order", "InvoiceRequested", event -> invoicing.receive(event));
    // docs:end listener
    return listeners;
  }

  public Order nextOrder() {
    int number = lastOrder.incrementAndGet();
    return new Order("ORD-" + number, ITEMS[number % ITEMS.length], 990 + number % 90 * 100);
  }

  public Checkout checkout() {
    return new Checkout(outbox.transactions(), outbox.writer(), orders);
  }

  public RemoteTill remoteTill() {
    String url = dataSource.getJdbcUrl();
    return new RemoteTill(() -> DriverManager.getConnection(url), outbox.store(), ledger);
  }

  public DeadLetters deadLetters() {
    return new DeadLetters(outbox);
  }

  public Destination warehouse() {
    return warehouse;
  }

  public Destination invoicing() {
    return invoicing;
  }

  public DataSource dataSource() {
    return dataSource;
  }

  public Ledger ledger() {
    return ledger;
  }

  public Counters counters() {
    return counters;
  }

  @Override
  public void close() {
    outbox.close();
    dataSource.close();
  }
}
