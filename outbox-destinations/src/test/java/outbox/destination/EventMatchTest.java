package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;

class EventMatchTest {

  @Test
  void whateverIsAskedForCountsInWhicheverOrder() {
    List<EventMatch> sameInAnyOrder =
        List.of(
            EventMatch.ofType("OrderPlaced").tenant("acme").header("region", "eu"),
            EventMatch.all().tenant("acme").eventType("OrderPlaced").header("region", "eu"),
            EventMatch.all().header("region", "eu").tenant("acme").eventType("OrderPlaced"));

    assertThat(sameInAnyOrder)
        .allSatisfy(
            match -> {
              assertThat(match.matches(event("OrderPlaced", "acme", "eu"))).isTrue();
              assertThat(match.matches(event("OrderPaid", "acme", "eu"))).isFalse();
              assertThat(match.matches(event("OrderPlaced", "globex", "eu"))).isFalse();
              assertThat(match.matches(event("OrderPlaced", "acme", "us"))).isFalse();
            });
  }

  @Test
  void whatIsAskedForTwiceIsRefused() {
    EventMatch match =
        EventMatch.ofType("OrderPlaced").aggregateType("Order").tenant("a").header("region", "eu");

    assertThatThrownBy(() -> match.tenant("b", "c"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "tenant must be asked for once, with all values that it may have, got: [b, c] after"
                + " [a]");
    assertThatThrownBy(() -> match.eventType("OrderPaid"))
        .hasMessageStartingWith("eventType must be asked for once");
    assertThatThrownBy(() -> match.aggregateType("Order"))
        .hasMessageStartingWith("aggregateType must be asked for once");
    assertThatThrownBy(() -> match.header("region", "us"))
        .hasMessageStartingWith("header region must be asked for once");
    assertThat(match.header("country", "fr")).isNotNull();
  }

  private static EventEnvelope event(String type, String tenant, String region) {
    return EventEnvelope.builder(type)
        .tenantId(tenant)
        .header("region", region)
        .payloadJson("{}")
        .build();
  }
}
