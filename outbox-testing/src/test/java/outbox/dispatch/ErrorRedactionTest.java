package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.testing.CapturedLogs;
import outbox.testing.Harness;

@Timeout(120)
class ErrorRedactionTest {

  private static final String PAYLOAD = "{\"card\":\"4111-1111-1111-1111\"}";

  private final Harness harness = new Harness();
  private final CapturedLogs logs = new CapturedLogs();

  @AfterEach
  void close() {
    harness.close();
    logs.close();
  }

  private String errorOf(
      UnaryOperator<OutboxDispatcher.Builder> settings, UnaryOperator<String> message) {
    harness.onEvent(
        event -> {
          throw new IllegalStateException(
              "outer", new IllegalArgumentException(message.apply(event.payloadJson())));
        });
    OutboxDispatcher dispatcher =
        harness.build(settings.apply(harness.dispatcher().maxAttempts(1)));
    EventEnvelope event = EventEnvelope.ofJson(Harness.TYPE, PAYLOAD);
    harness.store.insertNew(null, event);
    dispatcher.enqueueHot(Harness.hot(event));
    harness.awaitStatus(EventStatus.DEAD, event);
    dispatcher.close();
    return harness.row(event).lastError();
  }

  @Test
  void payloadInAMessageReachesNeitherTheRowNorTheLog() {
    String error =
        errorOf(settings -> settings, payload -> "422 for " + payload.substring(3) + "\nnext line");

    assertThat(error)
        .isEqualTo(
            "java.lang.IllegalStateException: outer; caused by java.lang.IllegalArgumentException:"
                + " 422 for [payload] next line");
    assertThat(logs.all())
        .anyMatch(line -> line.contains("422 for [payload]"))
        .noneMatch(line -> line.contains("4111-1"));
  }

  @Test
  void payloadThatAnInterceptorTellsReachesNoLog() {
    errorOf(
        settings ->
            settings.interceptor(
                EventInterceptor.after(
                    (event, error) -> {
                      throw new IllegalStateException("audit: " + event.payloadJson());
                    })),
        payload -> "refused");

    assertThat(logs.all())
        .anyMatch(line -> line.contains("audit: [payload]"))
        .noneMatch(line -> line.contains("4111-1"));
  }

  @Test
  void redactorDecidesWhatIsToldOfAFailure() {
    String error =
        errorOf(
            settings ->
                settings.errorRedactor(
                    (event, failure) -> event.eventType() + "\tfailed\u001b[0m with secrets"),
            payload -> "secret");

    assertThat(error).isEqualTo("OrderPlaced failed [0m with secrets");
  }

  @Test
  void throwingRedactorLeavesTheNamesOfTheClasses() {
    String expected =
        "java.lang.IllegalStateException; caused by java.lang.IllegalArgumentException";

    assertThat(
            errorOf(
                settings ->
                    settings.errorRedactor(
                        (event, failure) -> {
                          throw new AssertionError(event.payloadJson());
                        }),
                payload -> payload))
        .isEqualTo(expected);
    assertThat(errorOf(settings -> settings.errorRedactor((e, f) -> " "), payload -> payload))
        .isEqualTo(expected);
    assertThat(errorOf(settings -> settings.errorRedactor((e, f) -> null), payload -> payload))
        .isEqualTo(expected);
    assertThat(logs.all()).noneMatch(line -> line.contains("4111-1"));
  }

  @Test
  void errorIsCutToTheLengthThatIsSet() {
    assertThat(errorOf(settings -> settings.lastErrorMaxLength(50), payload -> "x".repeat(9000)))
        .hasSize(50);
    assertThat(
            errorOf(
                settings -> settings.errorRedactor((event, failure) -> "y".repeat(9000)),
                payload -> "x"))
        .hasSize(4000);
  }

  @Test
  void impossibleLengthsAreRefused() {
    assertThatThrownBy(() -> harness.dispatcher().lastErrorMaxLength(0).build())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> harness.dispatcher().lastErrorMaxLength(4001).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lastErrorMaxLength");
  }
}
