package outbox.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.faults.history.Entry.Event;

class PayloadTest {

  @Test
  void payloadIsItsVersionHoweverLong() {
    assertThat(Payload.of(17, 0)).isEqualTo("17");
    assertThat(Payload.of(17, 5_000)).hasSize(5_000);
    assertThat(Payload.version(Payload.of(17, 5_000))).isEqualTo(17);
  }

  @Test
  void payloadsOfDifferentVersionsDifferInAllTheirParts() {
    assertThat(Payload.of(17, 5_000).substring(2_000, 2_100))
        .isNotEqualTo(Payload.of(18, 5_000).substring(2_000, 2_100))
        .isNotEqualTo(Payload.of(17, 5_000).substring(3_000, 3_100));
  }

  @Test
  void historyTellsAPayloadFromItsBeginning(@TempDir Path folder) {
    String payload = Payload.of(17, 5_000);
    try (Journal journal = new Journal(folder, "x")) {
      journal.writes(List.of(event(payload)));
      journal.begins(event(payload));
      journal.begins(event(payload.substring(0, 4_999)));
      journal.begins(event(payload.substring(0, 4_999) + "\f"));
    }

    History history = History.read(folder, "x");
    Event written =
        history.all(Entry.Writes.class).findFirst().orElseThrow().transaction().events().get(0);
    assertThat(written.version()).isEqualTo(17);
    assertThat(written.payload()).startsWith("5000/");
    assertThat(history.calls())
        .extracting(call -> call.event().equals(written))
        .containsExactly(true, false, false);
  }

  private static EventEnvelope event(String payload) {
    return EventEnvelope.builder("Changed")
        .eventId("e")
        .aggregateId("a")
        .payloadJson(payload)
        .build();
  }
}
