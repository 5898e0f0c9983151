package outbox.spring.boot.several;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.transaction.annotation.Transactional;
import outbox.OutboxWriter;
import outbox.spring.boot.OutboxListener;

/** Writes to two databases, and hears of both. */
public class Departments {

  private final List<String> heard = new CopyOnWriteArrayList<>();
  // docs:begin named
  private final OutboxWriter orders;
  private final OutboxWriter billing;

  public Departments(
      @Qualifier("orders") OutboxWriter orders, @Qualifier("billing") OutboxWriter billing) {
    this.orders = orders;
    this.billing = billing;
  }

  @Transactional("ordersTransactions")
  public void order(String payload) {
    orders.write("Placed", payload);
  }

  @Transactional("billingTransactions")
  public void bill(String payload) {
    billing.write("Placed", payload);
  }

  @OutboxListener("Placed")
  void placed(String payload) {
    heard.add("placed " + payload);
  }

  @OutboxListener(value = "Placed", outbox = "billing")
  void billed(String payload) {
    heard.add("billed " + payload);
  }

  // docs:end named

  public List<String> heard() {
    return heard;
  }

  @Transactional("ordersTransactions")
  public void billInAnOrder(String payload) {
    billing.write("Placed", payload);
  }
}
