package outbox.cloudevents;

import static org.assertj.core.api.Assertions.assertThat;

import io.cloudevents.CloudEvent;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import outbox.EventEnvelope;
import outbox.destination.Message;
import outbox.destination.Protocol;

/** Whatever an event says in whatever characters, readers find it again. */
class CloudEventsProperties {

  private final CloudEvents binary = CloudEvents.binary(Events.SOURCE);
  private final CloudEvents structured = CloudEvents.structured(Events.SOURCE);

  @Property
  void sdkReadsFromKafkaWhatWasWritten(@ForAll("events") EventEnvelope event) {
    requireSame(event, Readers.kafka(binary.format(event, Protocol.KAFKA)));
    requireSame(event, Readers.kafka(structured.format(event, Protocol.KAFKA)));
  }

  @Property
  void sdkReadsFromHttpWhatWasWritten(@ForAll("events") EventEnvelope event) {
    requireSame(event, Readers.http(binary.format(event, Protocol.HTTP)));
    requireSame(event, Readers.http(structured.format(event, Protocol.HTTP)));
  }

  @Property
  void httpAttributesArePrintableAscii(@ForAll("events") EventEnvelope event) {
    Message message = binary.format(event, Protocol.HTTP);

    message
        .headers()
        .forEach(
            (name, value) -> {
              if (name.startsWith("ce-")) {
                assertThat(value).matches("[!-~]*");
              }
            });
  }

  @Property
  void envelopeComesBack(@ForAll("events") EventEnvelope event, @ForAll Protocol protocol) {
    requireSame(event, CloudEvents.read(binary.format(event, protocol), protocol));
    requireSame(event, CloudEvents.read(structured.format(event, protocol), protocol));
    requireSame(event, CloudEvents.envelope(binary.cloudEvent(event)));
  }

  @Property
  void percentEncodingIsUndone(@ForAll("texts") String text) {
    assertThat(PercentEncoding.decode(PercentEncoding.encode(text))).isEqualTo(text);
  }

  @Provide
  Arbitrary<EventEnvelope> events() {
    return Combinators.combine(texts(), texts(), texts(), texts(), payloads())
        .as(
            (type, subject, tenant, correlation, payload) ->
                payload
                    .apply(EventEnvelope.builder("t" + type))
                    .aggregateType("A" + type)
                    .aggregateId(subject)
                    .tenantId(tenant)
                    .header("correlation-id", correlation)
                    .header("plain", correlation)
                    .build());
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.frequencyOf(
            Tuple.of(4, Arbitraries.integers().between(0x20, 0x7e)),
            Tuple.of(1, Arbitraries.integers().between(1, 0x1f)),
            Tuple.of(2, Arbitraries.integers().between(0x7f, 0xd7ff)),
            Tuple.of(1, Arbitraries.integers().between(0xe000, 0xffff)),
            Tuple.of(1, Arbitraries.integers().between(0x10000, 0x10ffff)))
        .list()
        .ofMaxSize(20)
        .map(codes -> codes.stream().map(Character::toString).collect(Collectors.joining()));
  }

  private Arbitrary<Payload> payloads() {
    Arbitrary<Payload> bytes =
        Arbitraries.bytes()
            .array(byte[].class)
            .ofMaxSize(50)
            .map(content -> envelope -> envelope.payloadBytes(content));
    Arbitrary<Payload> anyText = texts().map(text -> envelope -> envelope.payloadJson(text));
    Arbitrary<Payload> json =
        Arbitraries.of("{}", "[1,2.5]", "\"é\"", "true", "{\"a\":{\"b\":\"€\"}}")
            .map(text -> envelope -> envelope.payloadJson(text));
    return Arbitraries.oneOf(bytes, anyText, json);
  }

  private static void requireSame(EventEnvelope event, CloudEvent read) {
    assertThat(read.getId()).isEqualTo(event.eventId());
    assertThat(read.getType()).isEqualTo(event.eventType());
    assertThat(read.getSubject()).isEqualTo(emptyAsNull(event.aggregateId()));
    assertThat(read.getExtension("tenantid")).isEqualTo(emptyAsNull(event.tenantId()));
    assertThat(read.getExtension("correlationid"))
        .isEqualTo(emptyAsNull(event.header("correlation-id")));
    byte[] data = read.getData() == null ? new byte[0] : read.getData().toBytes();
    assertThat(text(data)).isEqualTo(text(event.payloadBytes()));
  }

  private static void requireSame(EventEnvelope event, EventEnvelope read) {
    assertThat(read.eventId()).isEqualTo(event.eventId());
    assertThat(read.eventType()).isEqualTo(event.eventType());
    assertThat(read.occurredAt()).isEqualTo(event.occurredAt());
    assertThat(read.aggregateType()).isEqualTo(event.aggregateType());
    assertThat(read.aggregateId()).isEqualTo(emptyAsNull(event.aggregateId()));
    assertThat(read.tenantId()).isEqualTo(emptyAsNull(event.tenantId()));
    assertThat(emptyAsNull(read.header("correlation-id")))
        .isEqualTo(emptyAsNull(event.header("correlation-id")));
    assertThat(text(read.payloadBytes())).isEqualTo(text(event.payloadBytes()));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String emptyAsNull(String value) {
    return value == null || value.isEmpty() ? null : value;
  }

  private interface Payload {
    EventEnvelope.Builder apply(EventEnvelope.Builder envelope);
  }
}
