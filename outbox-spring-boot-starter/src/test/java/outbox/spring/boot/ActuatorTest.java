package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import outbox.NonRetryableException;
import outbox.model.EventStatus;

/** The endpoint and the health as they come over HTTP. */
class ActuatorTest {

  private static final String SECRET = "{\"secret\":1}";

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
    SpringApplication application = new SpringApplication(Shop.class);
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
  void showsHowTheOutboxStandsAndNoPayload() throws Exception {
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
      assertThat(send(context, "outbox/other", null).statusCode()).isEqualTo(400);
      assertThat(send(context, "health/outbox", null).body())
          .contains("\"status\":\"UP\"", "\"oldestAge\":\"PT0S\"", "\"dead\":\"1\"");
    }
  }

  @Test
  void changesNothingWhereThatIsNotSwitchedOn() throws Exception {
    try (ConfigurableApplicationContext context = start()) {
      dead(context);

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

      assertThat(send(context, "outbox/replay", "{\"dryRun\":false}").statusCode()).isEqualTo(400);
      assertThat(send(context, "outbox/other", "{\"ids\":\"" + id + "\"}").statusCode())
          .isEqualTo(400);
      assertThat(send(context, "outbox/replay", "{\"eventType\":\"OrderPlaced\"}").body())
          .contains("\"matched\":1", "\"changed\":0", "DRY_RUN", "dryRun=false");
      assertThat(Applications.count(dataSource, EventStatus.DEAD)).isOne();

      String named = "{\"ids\":\"%s\",\"dryRun\":false}".formatted(id);
      assertThat(send(context, "outbox/discard", named).statusCode()).isEqualTo(400);
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
  void isNotThereWhereItIsSwitchedOff() throws Exception {
    try (ConfigurableApplicationContext context =
        start("--management.health.outbox.enabled=false", "--outbox.enabled=false")) {
      assertThat(send(context, "outbox", null).statusCode()).isEqualTo(404);
      assertThat(send(context, "health/outbox", null).statusCode()).isEqualTo(404);
    }
  }
}
