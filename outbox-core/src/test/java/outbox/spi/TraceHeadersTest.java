package outbox.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.EventHeaders;

class TraceHeadersTest {

  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private static EventEnvelope event(Map<String, String> headers) {
    return EventEnvelope.builder("T").headers(Map.copyOf(headers)).payloadJson("{}").build();
  }

  @Test
  void traceThatSomebodySetIsFound() {
    assertThat(TraceHeaders.areIn(event(Map.of("traceparent", TRACE)))).isTrue();
    assertThat(TraceHeaders.areIn(event(Map.of("baggage", "k=v")))).isFalse();
  }

  @Test
  void traceThatNobodyReadsIsNone() {
    EventEnvelope event = event(Map.of("Traceparent", TRACE));

    assertThat(event.header(EventHeaders.TRACEPARENT)).isNull();
    assertThat(TraceHeaders.areIn(event)).isFalse();
  }

  @Test
  void headersAreAddedAndTheEventsOwnStay() {
    EventEnvelope event =
        TraceHeaders.added(
            event(Map.of("baggage", "k=own")), Map.of("traceparent", TRACE, "baggage", "k=v"));

    assertThat(event.headers()).isEqualTo(Map.of("traceparent", TRACE, "baggage", "k=own"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"k=\n", "k=\u00fc", "k=\ud800"})
  void whatIsNotPlainTextStaysBehind(String baggage) {
    EventEnvelope event =
        TraceHeaders.added(event(Map.of()), Map.of("traceparent", TRACE, "baggage", baggage));

    assertThat(event.headers()).isEqualTo(Map.of("traceparent", TRACE));
  }

  @Test
  void whatIsTooLongStaysBehind() {
    String longest = "k=" + "v".repeat(8190);

    assertThat(TraceHeaders.added(event(Map.of()), Map.of("baggage", longest)).headers())
        .containsEntry("baggage", longest);
    assertThat(TraceHeaders.added(event(Map.of()), Map.of("baggage", longest + "v")).headers())
        .isEmpty();
  }

  @Test
  void eventWithoutRoomForMoreHeadersIsWrittenAsItIs() {
    EventEnvelope full = event(Map.of("k", "x".repeat(EventEnvelope.MAX_HEADER_BYTES - 1)));

    assertThat(TraceHeaders.added(full, Map.of("traceparent", TRACE))).isSameAs(full);
  }
}
