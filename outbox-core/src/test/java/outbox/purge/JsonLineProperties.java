package outbox.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.WithNull;
import outbox.internal.JsonSyntax;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.properties.Texts;
import outbox.util.JsonCodec;

class JsonLineProperties {

  @Property
  void rowIsOneLineOfJsonFromWhichItsTextsCanBeRead(
      @ForAll("any") String payload,
      @ForAll("any") @WithNull String headers,
      @ForAll("any") @WithNull String error,
      @ForAll EventStatus status,
      @ForAll int attempts) {
    Instant time = Instant.parse("2030-01-02T03:04:05.6Z");
    OutboxEvent event =
        new OutboxEvent("e", "T", null, payload, null, payload, headers, attempts, time);

    String line = JsonLine.of(new EventDetails(event, status, time, null, error, payload, time));

    assertThat(line).endsWith("}\n");
    assertThat(line.indexOf('\n')).isEqualTo(line.length() - 1);
    assertThat(JsonSyntax.isJson(line)).isTrue();
    assertThat(
            JsonCodec.getDefault().parseObject(line.replace("\"attempts\":" + attempts + ",", "")))
        .containsEntry("payload", payload)
        .containsEntry("headers", headers)
        .containsEntry("aggregate_id", payload)
        .containsEntry("last_error", error)
        .containsEntry("status", status.name())
        .containsEntry("done_at", null);
  }

  @Provide
  Arbitrary<String> any() {
    return Texts.any();
  }
}
