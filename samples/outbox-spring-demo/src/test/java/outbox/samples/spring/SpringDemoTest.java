package outbox.samples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.springframework.http.MediaType.APPLICATION_JSON;
import static org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.RestClient;

/** The whole application over HTTP, as the README shows it. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class SpringDemoTest {

  @LocalServerPort private int port;

  private RestClient http;

  @BeforeEach
  void connect() {
    http =
        RestClient.builder()
            .baseUrl("http://localhost:" + port)
            .defaultStatusHandler(status -> true, (request, response) -> {})
            .build();
  }

  @Test
  void anOrderIsShippedAfterItWasPlaced() {
    Order placed = place("{'product': 'lamp', 'quantity': 2}");

    awaitShipped(placed);

    assertThat(get("/orders/" + placed.id()))
        .containsEntry("product", "lamp")
        .containsEntry("quantity", 2);
  }

  @Test
  void anEventThatDiesIsListedExplainedAndReplayed() {
    Order placed = place("{'product': 'mirror', 'quantity': 1, 'fail': true}");

    Map<String, Object> dead = awaitDead(placed);
    assertThat(dead).containsEntry("eventType", "OrderPlaced").containsEntry("attempts", 3);
    assertThat(dead.get("lastError")).asString().contains("no carrier takes order " + placed.id());

    assertThat(post("/orders/" + placed.id() + "/repair", "").getStatusCode())
        .isEqualTo(HttpStatus.NO_CONTENT);
    String replay = "{'ids': '%s', 'dryRun': false}".formatted(dead.get("eventId"));
    assertThat(post("/actuator/outbox/replay", replay).getBody()).containsEntry("changed", 1);

    awaitShipped(placed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {}                                  | product must not be blank
          {}                                  | quantity must not be null
          {'product': ' ', 'quantity': 1}     | product must not be blank
          {'product': 'lamp', 'quantity': 0}  | quantity must be greater than 0
          {'product': 'lamp', 'quantity': []} | Failed to read request
          no JSON                             | Failed to read request
          """)
  void anInvalidOrderIsRefused(String json, String reason) {
    assertProblem(post("/orders", json), HttpStatus.BAD_REQUEST, reason);
  }

  @Test
  void anUnknownOrderIsNotFound() {
    assertProblem(exchange("/orders/0"), HttpStatus.NOT_FOUND, "order 0 does not exist");
    assertProblem(post("/orders/0/repair", ""), HttpStatus.NOT_FOUND, "order 0 does not exist");
  }

  @Test
  void deliveriesAreCounted() {
    awaitShipped(place("{'product': 'lamp', 'quantity': 1}"));

    await()
        .untilAsserted(
            () ->
                assertThat(get("/actuator/metrics/outbox.dispatch.success").get("measurements"))
                    .asString()
                    .doesNotContain("value=0.0"));
  }

  private Order place(String json) {
    ResponseEntity<Order> placed = request("/orders", json).retrieve().toEntity(Order.class);
    assertThat(placed.getStatusCode()).isEqualTo(HttpStatus.CREATED);
    return Objects.requireNonNull(placed.getBody());
  }

  private void awaitShipped(Order placed) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> get("/orders/" + placed.id()).get("shipped").equals(true));
  }

  private Map<String, Object> awaitDead(Order placed) {
    List<Map<String, Object>> dead =
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> deadEventsOf(placed), found -> !found.isEmpty());
    return dead.get(0);
  }

  private List<Map<String, Object>> deadEventsOf(Order placed) {
    List<Map<String, Object>> dead =
        http.get()
            .uri("/actuator/outbox/dead")
            .retrieve()
            .body(new ParameterizedTypeReference<>() {});
    return Objects.requireNonNull(dead).stream()
        .filter(event -> event.get("aggregateId").equals(Long.toString(placed.id())))
        .toList();
  }

  private Map<String, Object> get(String path) {
    ResponseEntity<Map<String, Object>> answer = exchange(path);
    assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.OK);
    return Objects.requireNonNull(answer.getBody());
  }

  private ResponseEntity<Map<String, Object>> exchange(String path) {
    return http.get().uri(path).retrieve().toEntity(new ParameterizedTypeReference<>() {});
  }

  private ResponseEntity<Map<String, Object>> post(String path, String json) {
    return request(path, json).retrieve().toEntity(new ParameterizedTypeReference<>() {});
  }

  private RestClient.RequestBodySpec request(String path, String json) {
    return http.post().uri(path).contentType(APPLICATION_JSON).body(json.replace('\'', '"'));
  }

  private static void assertProblem(
      ResponseEntity<Map<String, Object>> answer, HttpStatus status, String detail) {
    assertThat(answer.getStatusCode()).isEqualTo(status);
    assertThat(answer.getHeaders().getContentType()).isEqualTo(APPLICATION_PROBLEM_JSON);
    assertThat(answer.getBody()).extractingByKey("detail").asString().contains(detail);
  }
}
