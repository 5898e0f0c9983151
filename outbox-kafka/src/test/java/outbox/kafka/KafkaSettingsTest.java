package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaSettingsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "acks | 1 | acks must be all, or events could be lost, got: 1",
        "enable.idempotence | false | enable.idempotence must be true, or retries",
        "max.in.flight.requests.per.connection | 6 | must be 1 to 5, or order could be lost, got:"
            + " 6",
        "partitioner.ignore.keys | true | partitioner.ignore.keys must be false, or the events",
        "retries | 0 | retries must be above 0",
        "delivery.timeout.ms | 1000 | call deliveryTimeout instead",
        "transactional.id | me | call transactionalId instead",
        "bootstrap.servers | other:1 | call builder(bootstrapServers) instead",
        "value.serializer | mine | call format",
      })
  void whatWouldBreakAGuaranteeIsRefused(String name, String value, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KafkaDestination.builder("localhost:1").property(name, value))
        .withMessageContaining(message);
  }

  @Test
  void whatTheGuaranteesNeedMayBeSaidAgain() {
    Map<String, Object> needed =
        Map.of(
            "acks", "-1", "enable.idempotence", true, "max.in.flight.requests.per.connection", 1);

    try (KafkaDestination kafka =
        KafkaDestination.builder("localhost:1").properties(needed).name("billing").build()) {
      assertThat(kafka.name()).isEqualTo("billing");
      assertThat(kafka).hasToString("KafkaDestination[name=billing, bootstrapServers=localhost:1]");
    }
  }

  @Test
  void aPropertyThatKafkaRefusesIsToldWhereItWasSet() {
    KafkaDestination.Builder builder =
        KafkaDestination.builder("localhost:1").property("compression.type", "best");

    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessageContaining("compression.type");
  }

  @Test
  void aRequestMayNotTakeLongerThanTheDelivery() {
    KafkaDestination.Builder builder =
        KafkaDestination.builder("localhost:1")
            .deliveryTimeout(Duration.ofSeconds(2))
            .property("request.timeout.ms", 30_000);

    assertThatIllegalArgumentException()
        .isThrownBy(builder::build)
        .withMessageContaining("delivery.timeout.ms");
  }

  @Test
  void aDeliveryTimeoutHasASecondAtLeast() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> KafkaDestination.builder("localhost:1").deliveryTimeout(Duration.ofMillis(999)))
        .withMessage("deliveryTimeout must be at least PT1S, got: PT0.999S");
  }
}
