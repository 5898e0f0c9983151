package outbox.destination;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.RetryAfterException;

class UpcastersTest {

  private final Upcasters upcasters =
      Upcasters.builder()
          .step("OrderPlaced", "1", "2", json -> json.replace("}", ",\"currency\":\"EUR\"}"))
          .step("OrderPlaced", "2", "3", json -> json.replace("total", "amount"))
          .build();

  @Test
  void anOldEventComesInTheNewestVersion() {
    EventEnvelope event = upcasters.upcast(event("1"));

    assertThat(event.payloadJson()).isEqualTo("{\"amount\":1,\"currency\":\"EUR\"}");
    assertThat(event.header("schema-version")).isEqualTo("3");
    assertThat(event.header("schema-id")).isEqualTo("orders");
    assertThat(event.eventId()).isEqualTo("id-1");
    assertThat(event.aggregateId()).isEqualTo("order-1");
  }

  @Test
  void anEventThatIsUpToDateOrHasNoVersionIsLeftAlone() {
    EventEnvelope newest = event("3");
    EventEnvelope unversioned = EventEnvelope.ofJson("OrderPlaced", "{}");

    assertThat(upcasters.upcast(newest)).isSameAs(newest);
    assertThat(upcasters.upcast(unversioned)).isSameAs(unversioned);
  }

  @Test
  void anEventWithoutAVersionHasTheOneThatItsTypeIsSaidToHave() {
    Upcasters all =
        Upcasters.builder()
            .step("OrderPlaced", "2", "3", json -> json.replace("total", "amount"))
            .unversioned("OrderPlaced", "2")
            .build();
    EventEnvelope unversioned = EventEnvelope.ofJson("OrderPlaced", "{\"total\":1}");
    EventEnvelope ofAnotherType = EventEnvelope.ofJson("OrderPaid", "{\"total\":1}");

    assertThat(all.upcast(unversioned).payloadJson()).isEqualTo("{\"amount\":1}");
    assertThat(all.upcast(unversioned).header("schema-version")).isEqualTo("3");
    assertThat(all.upcast(ofAnotherType)).isSameAs(ofAnotherType);
    assertThat(all.upcast(event("3")).payloadJson()).isEqualTo("{\"total\":1}");
  }

  @Test
  void messagesAndListenersGetWhatEventsHaveBecome() throws Exception {
    List<EventEnvelope> heard = new ArrayList<>();

    upcasters.beforeListener(event -> heard.add(event)).onEvent(event("2"));
    Message message = upcasters.before(MessageFormat.raw()).format(event("2"), Protocol.KAFKA);

    assertThat(heard.get(0).payloadJson()).isEqualTo("{\"amount\":1}");
    assertThat(new String(message.body(), UTF_8)).isEqualTo("{\"amount\":1}");
    assertThat(message.headers()).containsEntry("schema-version", "3");
  }

  @Test
  void aStepThatTheTextIsWrongForBuriesTheEventAndTellsNothingOfItsPayload() {
    Upcasters broken =
        upcaster(
            json -> {
              throw new IllegalArgumentException("unexpected " + json);
            });

    assertThatThrownBy(() -> broken.upcast(event("1")))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining("id-1")
        .hasMessageContaining("from version 1 to 2: java.lang.IllegalArgumentException")
        .hasMessageNotContaining("total")
        .hasNoCause();
  }

  @Test
  void aStepWhoseHelpersAreAwayIsAFailedTryAndTellsNothingOfThePayload() {
    List<Exception> failures =
        List.of(
            new IOException("no answer to {\"total\":1}"),
            new UncheckedIOException(new IOException("no answer to {\"total\":1}")),
            new IllegalStateException("closed for {\"total\":1}"));

    assertThat(failures)
        .allSatisfy(
            failure ->
                assertThatThrownBy(() -> failing(failure).upcast(event("1")))
                    .isExactlyInstanceOf(OutboxException.class)
                    .hasMessageContaining("from version 1 to 2: " + failure.getClass().getName())
                    .hasMessageNotContaining("total")
                    .hasNoCause());
  }

  @Test
  void aStepThatSaysWhatToDoIsTakenAtItsWord() {
    List<OutboxException> words =
        List.of(
            new NonRetryableException("no such currency"),
            new RetryAfterException(Duration.ofMinutes(1), "rates are being loaded"),
            new DeferException(Duration.ofMinutes(1), "rates come at noon"));

    assertThat(words)
        .allSatisfy(
            word -> {
              assertThatThrownBy(() -> failing(word).upcast(event("1"))).isSameAs(word);
              assertThatThrownBy(() -> failing(new IOException(word)).upcast(event("1")))
                  .isSameAs(word);
            });
  }

  @Test
  void anInterruptedStepLeavesItsThreadInterrupted() {
    assertThatThrownBy(() -> failing(new InterruptedException()).upcast(event("1")))
        .isExactlyInstanceOf(OutboxException.class);

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void stepsAreForText() {
    EventEnvelope bytes =
        EventEnvelope.builder("OrderPlaced")
            .schema("orders", "1")
            .payloadBytes(new byte[] {-1})
            .build();

    assertThatThrownBy(() -> upcasters.upcast(bytes))
        .isInstanceOf(NonRetryableException.class)
        .hasMessageContaining("is not text");
  }

  @Test
  void stepsThatContradictEachOtherAreRefused() {
    assertThatThrownBy(
            () ->
                Upcasters.builder()
                    .step("A", "1", "2", json -> json)
                    .step("A", "1", "3", json -> json))
        .hasMessage("from must be a version without a step of event type A, got: 1");
    assertThatThrownBy(
            () ->
                Upcasters.builder()
                    .step("A", "1", "2", json -> json)
                    .step("A", "2", "1", json -> json)
                    .build())
        .hasMessageContaining("steps of event type A must be without a circle");
    assertThatThrownBy(() -> Upcasters.builder().unversioned("A", "1").build())
        .hasMessage(
            "version of unversioned events of type A must be one that a step leads on from, got:"
                + " 1");
    assertThatThrownBy(() -> Upcasters.builder().unversioned("A", "1").unversioned("A", "2"))
        .hasMessage("eventType must be one that this is said of once, got: A");
  }

  private static Upcasters failing(Exception failure) {
    return upcaster(
        json -> {
          throw failure;
        });
  }

  private static Upcasters upcaster(Upcasters.Text change) {
    return Upcasters.builder().step("OrderPlaced", "1", "2", change).build();
  }

  private static EventEnvelope event(String version) {
    return EventEnvelope.builder("OrderPlaced")
        .eventId("id-1")
        .aggregateType("Order")
        .aggregateId("order-1")
        .schema("orders", version)
        .payloadJson("{\"total\":1}")
        .build();
  }
}
