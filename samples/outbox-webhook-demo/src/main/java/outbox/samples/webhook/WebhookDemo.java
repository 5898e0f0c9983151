package outbox.samples.webhook;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogManager;

/** Takes a shop and its partner through a few situations, and checks what each of them sees. */
public final class WebhookDemo {

  private static final String OLD_KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String NEW_KEY = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

  private final Shop shop;
  private final Partner partner;
  private final Checks checks;

  private WebhookDemo(Shop shop, Partner partner, Checks checks) {
    this.shop = shop;
    this.partner = partner;
    this.checks = checks;
  }

  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.err.println("outbox webhook-demo: takes no options, got: " + args[0]);
      System.exit(2);
    }
    LogManager.getLogManager().reset(); // the trouble shown here is meant
    System.exit(run(System.out) ? 0 : 1);
  }

  /** Returns whether everything was as it should be. */
  static boolean run(PrintStream out) throws Exception {
    Checks checks = new Checks(out);
    out.println("A shop that tells its partner of every order, by signed webhooks");
    try (Partner partner = new Partner(OLD_KEY);
        Shop shop = new Shop(partner.url(), OLD_KEY, NEW_KEY)) {
      new WebhookDemo(shop, partner, checks).tell();
    }
    out.println(checks.allHeld() ? "\nAll as it should be." : "\nNot all as it should be.");
    return checks.allHeld();
  }

  private void tell() throws SQLException, IOException, InterruptedException {
    signed();
    forged();
    replacedKey();
    busy();
    away();
    lostAnswer();
  }

  private void signed() throws SQLException, InterruptedException {
    checks.chapter("An order is committed, and its event arrives with a signature that holds");
    String eventId = shop.place("ORD-1");
    checks.comesTrue("the partner has ORD-1", () -> hasOrder(eventId, "ORD-1"));
  }

  private void forged() throws IOException, InterruptedException {
    checks.chapter("Somebody else sends an order");
    HttpRequest forged =
        HttpRequest.newBuilder(URI.create(partner.url()))
            .header("webhook-id", "forged")
            .header("webhook-timestamp", "1614265330")
            .header("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
            .POST(BodyPublishers.ofString("{\"orderId\":\"ORD-0\"}"))
            .build();
    int status = HttpClient.newHttpClient().send(forged, BodyHandlers.discarding()).statusCode();
    checks.holds("the partner answers 401", status == 401);
    checks.holds("and has no such order", !partner.orders().containsKey("forged"));
  }

  private void replacedKey() throws SQLException, InterruptedException {
    checks.chapter("The partner changes to the new key; the shop signs with both");
    partner.key(NEW_KEY);
    String eventId = shop.place("ORD-2");
    checks.comesTrue("the partner has ORD-2", () -> hasOrder(eventId, "ORD-2"));
  }

  private void busy() throws SQLException, InterruptedException {
    checks.chapter("The partner is busy: 429 and Retry-After: 1");
    partner.isBusyFor(1);
    String eventId = shop.place("ORD-3");
    checks.comesTrue("it is called", () -> partner.busyAnswersLeft() == 0);
    checks.comesTrue("and has ORD-3 a little later", () -> hasOrder(eventId, "ORD-3"));
  }

  private void away() throws SQLException, IOException, InterruptedException {
    checks.chapter("The partner is away while 50 orders are placed");
    partner.goesAway();
    List<String> placed = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      placed.add(shop.place("ORD-4-" + i));
    }
    checks.comesTrue("the shop notices", shop::isPartnerAway);
    partner.comesBack();
    checks.comesTrue(
        "the partner has all of them", () -> partner.orders().keySet().containsAll(placed));
    checks.holds("no order was charged with an attempt", shop.mostAttempts() == 0);
  }

  private void lostAnswer() throws SQLException, InterruptedException {
    checks.chapter("The partner takes an order, and its answer is lost");
    partner.losesItsNextAnswer();
    String eventId = shop.place("ORD-5");
    checks.comesTrue("the partner has ORD-5", () -> hasOrder(eventId, "ORD-5"));
    checks.comesTrue("it came again and was known", () -> partner.repetitions() == 1);
  }

  private boolean hasOrder(String eventId, String orderId) {
    return partner.orders().getOrDefault(eventId, "").contains(orderId);
  }
}
