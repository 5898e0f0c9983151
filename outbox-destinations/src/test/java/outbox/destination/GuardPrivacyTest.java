package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static outbox.destination.ScriptedDestination.deliver;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;

/** A destination may be anybody's, and quote what it was given. */
class GuardPrivacyTest {

  private static final String SECRET = "4111-1111-1111-1111";

  private final ScriptedDestination destination = new ScriptedDestination("billing");
  private final GuardedDestination guard =
      GuardedDestination.builder(destination).outageAfter(1).build();
  private final List<EventEnvelope> events =
      Stream.of("first", SECRET, "last")
          .map(card -> EventEnvelope.ofJson("OrderPaid", "{\"card\":\"%s\"}".formatted(card)))
          .toList();

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void healthTellsAFailureWithoutThePayloadThatItQuotes(boolean isOutage) {
    String message = "no answer to " + events.get(1).payloadJson();
    destination.script =
        (sent, result) ->
            CompletableFuture.failedFuture(
                isOutage
                    ? new UnavailableException(message, null)
                    : new IllegalStateException("can't send", new RuntimeException(message)));

    deliver(guard, events);

    assertThat(guard.health().lastError())
        .contains("no answer to [payload]")
        .doesNotContain(SECRET);
  }

  @Test
  void whatIsSaidOfOneEventDoesNotTellThePayloadOfAnother() {
    destination.script =
        (sent, result) -> {
          result.failed(sent.get(2), new IllegalStateException("behind " + SECRET + "\"}"));
          return CompletableFuture.completedFuture(null);
        };

    deliver(guard, events);

    assertThat(guard.health().lastError()).contains("behind").doesNotContain(SECRET);
  }
}
