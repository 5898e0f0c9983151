package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.jdbc.store.H2OutboxStore;
import outbox.model.EventStatus;
import outbox.spring.boot.sent.Sending;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** The endpoint and the health as they come over HTTP. */
class ActuatorTest {

  private static final String SECRET = "{\"secret\":1}";

  private static final EventEnvelope ORDER =
      EventEnvelope.builder("OrderPlaced")
          .aggregateType("Order")
          .aggregateId("order-42")
          .payloadJson(SECRET)
          .build();

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Shop {

    private final AtomicBoolean isOpen = new AtomicBoolean();

    @OutboxListener("OrderPlaced")
    void ship(String payload) {
      if (!isOpen.get()) {
        throw new NonRetryableException("closed today");
      }
    }
  }

  private static ConfigurableApplicationContext start(String... properties) {
    return start(new SpringApplication(Shop.class), properties);
  }

  private static ConfigurableApplicationContext start(
      SpringApplication application, String... properties) {
    application.setDefaultProperties(
        Map.of(
            "spring.datasource.url", "jdbc:h2:mem:" + UUID.randomUUID(),
            "server.port", "0",
            "management.endpoint.health.show-details", "always",
            "management.endpoints.web.exposure.include", "*"));
    return application.run(properties);
  }

  private static HttpResponse<String> send(
      ConfigurableApplicationContext context, String path, String body) throws Exception {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:%s/actuator/%s".formatted(port, path)));
    if (body != null) {
      request
          .header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }

  private static String dead(ConfigurableApplicationContext context) {
    String id = Applications.write(context, "OrderPlaced", SECRET);
    DataSource dataSource = context.getBean(DataSource.class);
    Applications.until(() -> Applications.count(dataSource, EventStatus.DEAD) == 1);
    return id;
  }

  @Test
  void showsHowTheOutboxStandsAndNoPayloadAndChangesNothingUnasked() throws Exception {
    try (ConfigurableApplicationContext context = start()) {
      String id = dead(context);

      assertThat(send(context, "outbox", null).body())
          .contains("\"mode\":\"MULTI\"", "\"state\":\"STARTED\"", "\"table\":\"outbox_event\"")
          .contains("\"pending\":0", "\"dead\":1");
      assertThat(send(context, "outbox/dead", null).body())
          .contains(id, "closed today", "\"eventType\":\"OrderPlaced\"")
          .doesNotContain("secret");
      assertThat(send(context, "outbox/dead?eventType=Other", null).body()).isEqualTo("[]");
      assertThat(send(context, "outbox/blocked", null).body()).isEqualTo("[]");
      assertRefused(send(context, "outbox/other", null), "ask for dead or blocked");
      assertThat(send(context, "health/outbox", null).body())
          .contains("\"status\":\"UP\"", "\"oldestAge\":\"PT0S\"", "\"dead\":\"1\"");

      HttpResponse<String> refused =
          send(context, "outbox/replay", "{\"eventType\":\"OrderPlaced\",\"dryRun\":false}");
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("management.endpoint.outbox.writes=true");
      DataSource dataSource = context.getBean(DataSource.class);
      assertThat(Applications.count(dataSource, EventStatus.DEAD)).isOne();
    }
  }

  @Test
  void replaysAndDiscardsWhatIsNamedAfterADryRun() throws Exception {
    try (ConfigurableApplicationContext context =
        start("--management.endpoint.outbox.writes=true")) {
      String id = dead(context);
      DataSource dataSource = context.getBean(DataSource.class);

      assertRefused(send(context, "outbox/replay", "{\"dryRun\":false}"), "name the events by ids");
      assertRefused(
          send(context, "outbox/other", "{\"ids\":\"" + id + "\"}"), "ask for replay or discard");
      assertThat(send(context, "outbox/replay", "{\"eventType\":\"OrderPlaced\"}").body())
          .contains("\"matched\":1", "\"changed\":0", "DRY_RUN", "dryRun=false");
      assertThat(Applications.count(dataSource, EventStatus.DEAD)).isOne();

      String named = "{\"ids\":\"%s\",\"dryRun\":false}".formatted(id);
      assertRefused(send(context, "outbox/discard", named), "discard needs a reason");
      context.getBean(Shop.class).isOpen.set(true);
      assertThat(send(context, "outbox/replay", named).body()).contains("\"changed\":1");
      Applications.until(() -> Applications.count(dataSource, EventStatus.DONE) == 1);

      context.getBean(Shop.class).isOpen.set(false);
      dead(context);
      String why = "{\"eventType\":\"OrderPlaced\",\"reason\":\"sold out\",\"dryRun\":false}";
      assertThat(send(context, "outbox/discard", why).body()).contains("\"changed\":1");
      assertThat(Applications.count(dataSource, EventStatus.DEAD)).isZero();
    }
  }

  @Test
  void changesSomeThousandsAtATime() throws Exception {
    try (Database database = Databases.postgres().fresh();
        ConfigurableApplicationContext context =
            start(
                "--spring.datasource.url=" + database.url(),
                "--management.endpoint.outbox.writes=true",
                "--outbox.relay.enabled=false")) {
      DataSource dataSource = context.getBean(DataSource.class);
      Applications.insert(dataSource, "OrderPlaced", 10_001);
      new JdbcTemplate(dataSource)
          .update("UPDATE outbox_event SET status = 3, done_at = created_at");

      String all = "{\"eventType\":\"OrderPlaced\",\"dryRun\":false}";
      assertThat(send(context, "outbox/replay", all).body())
          .contains("STOPPED", "\"changed\":10000", "\"left\":1", "send it again");
      assertThat(Applications.count(dataSource, EventStatus.DEAD)).isOne();

      assertThat(send(context, "outbox/replay", all).body())
          .contains("COMPLETED", "\"changed\":1")
          .doesNotContain("left");
    }
  }

  private static void untilBlocked(ConfigurableApplicationContext context, String table) {
    Applications.until(
        () ->
            send(context, "outbox/blocked", null)
                .body()
                .contains("\"table\":\"%s\"".formatted(table)));
  }

  @Test
  void showsWhatIsBlockedWhereAnotherProcessDelivers() throws Exception {
    String shared = "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID();
    try (ConfigurableApplicationContext delivering = start(shared, "--outbox.mode=ordered");
        ConfigurableApplicationContext writing =
            start(shared, "--outbox.mode=ordered", "--outbox.relay.enabled=false")) {
      Applications.write(writing, ORDER);

      untilBlocked(writing, "outbox_event");

      assertThat(send(writing, "outbox/blocked", null).body())
          .isEqualTo(send(delivering, "outbox/blocked", null).body())
          .contains("order-42", "closed today")
          .doesNotContain("secret");
    }
  }

  @Test
  void aTableThatCannotBeReadHidesNoOtherAndIsNoEmptyAnswer() throws Exception {
    try (ConfigurableApplicationContext context =
        start(
            "--outbox.mode=ordered",
            "--outbox.table=outbox_event",
            "--outbox.relay.tables=outbox_event,billing_event",
            "--management.endpoint.outbox.writes=true")) {
      JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
      try (Connection connection = context.getBean(DataSource.class).getConnection()) {
        new H2OutboxStore("billing_event").insertNew(connection, ORDER);
      }
      untilBlocked(context, "billing_event");

      jdbc.execute("DROP TABLE outbox_event");

      assertThat(send(context, "outbox/blocked", null).body())
          .contains("\"table\":\"billing_event\"", "order-42", "\"error\":\"", "outbox_event");
      assertThat(send(context, "outbox/dead", null).body())
          .contains("\"table\":\"billing_event\"", "closed today", "\"error\":\"could not");
      assertThat(send(context, "outbox", null).body())
          .contains("\"state\":\"STARTED\"", "\"table\":\"billing_event\"", "\"dead\":1")
          .contains("\"error\":\"", "not found");

      jdbc.execute("DROP TABLE billing_event");

      for (String path :
          List.of("outbox", "outbox/dead", "outbox/dead/billing_event", "outbox/blocked")) {
        assertUnavailable(send(context, path, null), "\"error\":\"could not");
      }
      assertUnavailable(
          send(context, "outbox/replay/billing_event", "{\"eventType\":\"OrderPlaced\"}"),
          "\"state\":\"FAILED\"");
      assertUnavailable(send(context, "health/outbox", null), "can't be asked about billing_event");
    }
  }

  private static void assertUnavailable(HttpResponse<String> response, String why) {
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body()).contains(why);
  }

  @Test
  void saysWhatAStoreOfOnesOwnDoesNotImplement() throws Exception {
    try (ConfigurableApplicationContext context =
        start(
            new SpringApplication(Shop.class, PlainStore.AsBean.class),
            "--outbox.mode=single",
            "--outbox.relay.unroutable=dead")) {
      HttpResponse<String> status = send(context, "outbox", null);
      assertThat(status.statusCode()).isEqualTo(200);
      assertThat(status.body())
          .contains("\"state\":\"STARTED\"", "The store does not implement backlog")
          .doesNotContain("pending");
      assertRefused(send(context, "outbox/dead", null), "does not implement queryDead");

      HttpResponse<String> health = send(context, "health/outbox", null);
      assertThat(health.statusCode()).isEqualTo(200);
      assertThat(health.body()).contains("\"status\":\"UNKNOWN\"");
    }
  }

  private static void assertRefused(HttpResponse<String> response, String reason) {
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("\"error\":\"", reason);
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Sending.class)
  static class SendingShop {}

  @Test
  void pausesAndResumesADestinationByItsName() throws Exception {
    try (ConfigurableApplicationContext context =
        start(
            new SpringApplication(SendingShop.class), "--management.endpoint.outbox.writes=true")) {
      assertRefused(send(context, "outbox/pause", "{}"), "must be one of [kafka, partner]");
      assertRefused(send(context, "outbox/pause/mail", "{}"), "got: \\\"mail\\\"");

      assertThat(send(context, "outbox/pause/kafka", "{}").body())
          .contains("\"destination\":\"kafka\",\"state\":\"PAUSED\"");
      assertThat(send(context, "outbox/destinations", null).body())
          .contains("\"destination\":\"kafka\",\"state\":\"PAUSED\"")
          .contains("\"destination\":\"partner\",\"state\":\"UP\"");
      assertThat(send(context, "health/outbox", null).body())
          .contains("\"status\":\"UP\"", "\"state\":\"PAUSED\"");

      assertThat(send(context, "outbox/resume/kafka", "{}").body()).contains("\"state\":\"UP\"");
      assertThat(send(context, "outbox", null).body())
          .contains("\"destination\":\"kafka\",\"state\":\"UP\"");
    }
  }

  @Test
  void pausesNothingUnlessThatIsSwitchedOn() throws Exception {
    try (ConfigurableApplicationContext context = start(new SpringApplication(SendingShop.class))) {
      assertThat(send(context, "outbox/pause/kafka", "{}").statusCode()).isEqualTo(403);
      assertThat(send(context, "outbox/destinations", null).body()).doesNotContain("PAUSED");
    }
  }

  @Test
  void isNotThereWhereItIsSwitchedOff() throws Exception {
    try (ConfigurableApplicationContext context =
        start("--management.health.outbox.enabled=false", "--outbox.enabled=false")) {
      assertThat(send(context, "outbox", null).statusCode()).isEqualTo(404);
      assertThat(send(context, "health/outbox", null).statusCode()).isEqualTo(404);
    }
  }
}
