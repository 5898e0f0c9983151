package outbox.samples.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

/** The whole application over HTTP, as the README shows it. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OrderApiTest {

  private static final ParameterizedTypeReference<Map<String, Object>> OBJECT =
      new ParameterizedTypeReference<>() {};
  private static final ParameterizedTypeReference<List<Map<String, Object>>> LIST =
      new ParameterizedTypeReference<>() {};

  @LocalServerPort private int port;

  private RestTestClient http;

  @BeforeEach
  void connect() {
    http = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
  }

  @Test
  void anOrderIsShippedAndItsEventDelivered() {
    Map<String, Object> placed = place("{'product': 'lamp', 'quantity': 2}");

    Map<String, Object> order = awaitOrder(placed, "DONE");

    assertThat(order).containsEntry("product", "lamp").containsEntry("quantity", 2);
    assertThat(order).containsKey("shippedAt");
    assertThat(eventOf(order))
        .containsEntry("attempts", 0)
        .containsKey("deliveredAt")
        .doesNotContainKeys("lastError", "lockedBy", "diedAt");
  }

  @Test
  void anEventThatDiesIsListedExplainedAndReplayed() {
    Map<String, Object> placed = place("{'product': 'mirror', 'quantity': 1, 'fail': true}");

    Map<String, Object> event = eventOf(awaitOrder(placed, "DEAD"));
    assertThat(deadEventIds()).contains(event.get("eventId"));
    assertThat(get("/events/" + event.get("eventId")))
        .containsEntry("status", "DEAD")
        .containsEntry("attempts", 3)
        .containsKey("diedAt")
        .extractingByKey("lastError")
        .asString()
        .contains("no carrier takes order " + placed.get("id"));

    post("/orders/" + placed.get("id") + "/repair").expectStatus().isNoContent();
    post("/dead-events/" + event.get("eventId") + "/replay").expectStatus().isAccepted();

    assertThat(awaitOrder(placed, "DONE")).containsKey("shippedAt");
    assertThat(deadEventIds()).doesNotContain(event.get("eventId"));
  }

  @Test
  void onlyADeadEventIsReplayed() {
    Map<String, Object> order = awaitOrder(place("{'product': 'lamp', 'quantity': 1}"), "DONE");
    Object eventId = eventOf(order).get("eventId");

    assertProblem(
        post("/dead-events/" + eventId + "/replay"),
        HttpStatus.CONFLICT,
        "only a dead event can be replayed; event " + eventId + " is DONE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                  | product must not be blank; quantity must not be null
          {"product": " ", "quantity": 1}     | product must not be blank
          {"product": "lamp", "quantity": 0}  | quantity must be greater than 0
          {"product": "lamp", "quantity": []} | Failed to read request
          no JSON                             | Failed to read request
          """)
  void anInvalidOrderIsRefused(String json, String reason) {
    ResponseSpec response =
        http.post().uri("/orders").contentType(MediaType.APPLICATION_JSON).body(json).exchange();

    assertProblem(response, HttpStatus.BAD_REQUEST, reason);
  }

  @Test
  void whatDoesNotExistIsNotFound() {
    assertProblem(exchange("/orders/0"), HttpStatus.NOT_FOUND, "order 0 does not exist");
    assertProblem(exchange("/events/x"), HttpStatus.NOT_FOUND, "event x does not exist");
    assertProblem(post("/orders/0/repair"), HttpStatus.NOT_FOUND, "order 0 does not exist");
    assertProblem(post("/dead-events/x/replay"), HttpStatus.NOT_FOUND, "event x does not exist");
  }

  @Test
  void theListOfDeadEventsIsBounded() {
    assertProblem(
        exchange("/dead-events?limit=501"),
        HttpStatus.BAD_REQUEST,
        "limit must be less than or equal to 500");
  }

  @Test
  void deliveriesAreCounted() {
    awaitOrder(place("{'product': 'lamp', 'quantity': 1}"), "DONE");

    assertThat(get("/actuator/metrics/outbox.dispatch.success"))
        .extractingByKey("measurements")
        .asString()
        .doesNotContain("value=0.0");
  }

  private Map<String, Object> place(String json) {
    return object(
        http.post()
            .uri("/orders")
            .contentType(MediaType.APPLICATION_JSON)
            .body(json.replace('\'', '"'))
            .exchange()
            .expectStatus()
            .isCreated());
  }

  private Map<String, Object> awaitOrder(Map<String, Object> placed, String eventStatus) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> get("/orders/" + placed.get("id")),
            order -> eventStatus.equals(eventOf(order).get("status")));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> eventOf(Map<String, Object> order) {
    return (Map<String, Object>) order.get("event");
  }

  private List<Object> deadEventIds() {
    List<Map<String, Object>> dead =
        exchange("/dead-events")
            .expectStatus()
            .isOk()
            .expectBody(LIST)
            .returnResult()
            .getResponseBody();
    return Objects.requireNonNull(dead).stream().map(event -> event.get("eventId")).toList();
  }

  private Map<String, Object> get(String path) {
    return object(exchange(path).expectStatus().isOk());
  }

  private ResponseSpec exchange(String path) {
    return http.get().uri(path).exchange();
  }

  private ResponseSpec post(String path) {
    return http.post().uri(path).exchange();
  }

  private static Map<String, Object> object(ResponseSpec response) {
    return Objects.requireNonNull(response.expectBody(OBJECT).returnResult().getResponseBody());
  }

  private static void assertProblem(ResponseSpec response, HttpStatus status, String detail) {
    response
        .expectStatus()
        .isEqualTo(status)
        .expectHeader()
        .contentType(MediaType.APPLICATION_PROBLEM_JSON);
    assertThat(object(response)).containsEntry("detail", detail);
  }
}
