package outbox.samples.multids;

import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;
import java.util.logging.LogManager;
import java.util.stream.IntStream;
import outbox.jdbc.tx.JdbcTransactionManager.Transaction;
import outbox.model.EventStatus;

/** Takes two departments through a few situations and checks that neither minds the other. */
public final class MultiDsDemo {

  private final Department orders;
  private final Department billing;
  private final Checks checks;

  private MultiDsDemo(Department orders, Department billing, Checks checks) {
    this.orders = orders;
    this.billing = billing;
    this.checks = checks;
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.err.println("outbox multi-ds-demo: takes no options, got: " + args[0]);
      System.exit(2);
    }
    LogManager.getLogManager().reset(); // the trouble shown here is meant
    System.exit(run(System.out) ? 0 : 1);
  }

  /** Returns whether everything was as it should be. */
  static boolean run(PrintStream out) throws SQLException, InterruptedException {
    Checks checks = new Checks(out);
    out.println("Two databases, two outboxes, one process");
    try (Department orders = new Department("orders", "OrderPlaced");
        Department billing = new Department("billing", "PaymentTaken")) {
      new MultiDsDemo(orders, billing, checks).tell();
    }
    out.println(checks.allHeld() ? "\nAll as it should be." : "\nNot all as it should be.");
    return checks.allHeld();
  }

  private void tell() throws SQLException, InterruptedException {
    eachItsOwn();
    wrongTransaction();
    bothAtOnce();
    brokenListener();
    lostDatabase();
  }

  private void eachItsOwn() throws SQLException, InterruptedException {
    checks.chapter("Each event is written and delivered where its transaction was");
    orders.commit("ORD-1");
    billing.commit("PAY-1");
    checks.holds(
        "orders holds the event of ORD-1 only", orders.tables().events().equals(List.of("ORD-1")));
    checks.holds(
        "billing holds the event of PAY-1 only",
        billing.tables().events().equals(List.of("PAY-1")));
    checks.comesTrue(
        "the outbox of orders delivered OrderPlaced",
        () -> orders.listener().received().equals(List.of("OrderPlaced ORD-1")));
    checks.comesTrue(
        "the outbox of billing delivered PaymentTaken",
        () -> billing.listener().received().equals(List.of("PaymentTaken PAY-1")));
  }

  private void wrongTransaction() throws SQLException {
    checks.chapter("In a transaction of orders, the writer of billing refuses");
    String refusal = "none";
    try (Transaction transaction = orders.begin()) {
      billing.record("PAY-2");
      transaction.commit();
    } catch (IllegalStateException e) {
      refusal = String.valueOf(e.getMessage());
    }
    checks.say(refusal);
    checks.holds("it said what to do", refusal.startsWith("no transaction is active"));
    checks.holds(
        "nothing was written to orders", orders.tables().events().equals(List.of("ORD-1")));
    checks.holds(
        "nothing was written to billing", billing.tables().events().equals(List.of("PAY-1")));
  }

  private void bothAtOnce() throws SQLException, InterruptedException {
    checks.chapter("With a transaction on each, every event follows its own");
    try (Transaction order = orders.begin();
        Transaction payment = billing.begin()) {
      orders.record("ORD-3");
      billing.record("PAY-3");
      payment.rollback();
      order.commit();
    }
    checks.comesTrue(
        "orders committed: ORD-3 is delivered",
        () -> orders.listener().received().contains("OrderPlaced ORD-3"));
    checks.holds(
        "billing rolled back: PAY-3 has neither row nor event",
        !billing.tables().documents().contains("PAY-3")
            && !billing.tables().events().contains("PAY-3"));
  }

  private void brokenListener() throws SQLException, InterruptedException {
    checks.chapter("A broken listener of billing holds up nothing in orders");
    billing.listener().isBroken(true);
    billing.commit("PAY-4");
    List<String> placed = commitOrders(100, 149);
    checks.comesTrue(
        "PAY-4 waits for its next try",
        () -> billing.tables().events(EventStatus.RETRY).contains("PAY-4"));
    checks.comesTrue(
        "50 orders were delivered meanwhile",
        () -> orders.tables().events(EventStatus.DONE).containsAll(placed));
    billing.listener().isBroken(false);
    checks.comesTrue(
        "PAY-4 is delivered after the repair",
        () -> billing.listener().received().contains("PaymentTaken PAY-4"));
  }

  private void lostDatabase() throws SQLException, InterruptedException {
    checks.chapter("A lost database of billing stops nothing in orders");
    checks.comesTrue(
        "billing has nothing left to do",
        () -> billing.tables().events(EventStatus.DONE).equals(billing.tables().events()));
    billing.loseDatabase();
    checks.holds("a payment fails at once", !canPay());
    List<String> placed = commitOrders(200, 249);
    checks.comesTrue(
        "50 more orders were delivered",
        () -> orders.tables().events(EventStatus.DONE).containsAll(placed));
    checks.holds(
        "each order was delivered once",
        orders.listener().received().size() == orders.tables().events().size());
  }

  private boolean canPay() {
    try {
      billing.commit("PAY-5");
      return true;
    } catch (SQLException e) {
      checks.say(String.valueOf(e.getMessage()));
      return false;
    }
  }

  private List<String> commitOrders(int first, int last) throws SQLException {
    List<String> ids = IntStream.rangeClosed(first, last).mapToObj(n -> "ORD-" + n).toList();
    for (String id : ids) {
      orders.commit(id);
    }
    return ids;
  }
}
