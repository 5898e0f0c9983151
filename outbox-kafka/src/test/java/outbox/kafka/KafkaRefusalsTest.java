package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.destination.UnavailableException;
import outbox.testing.brokers.KafkaBroker;

/** What goes wrong says so once and clearly, and each event has the outcome it deserves. */
class KafkaRefusalsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Test
  void anEventThatIsTooLargeForItsTopicIsRefusedAloneWithItsSize() throws Exception {
    String topic =
        TestKafka.topic(TestKafka.broker(), "small", Map.of("max.message.bytes", "2000"));
    EventEnvelope before = event(topic, "a");
    EventEnvelope large = event(topic, "x".repeat(5_000));
    EventEnvelope after = event(topic, "b");

    try (KafkaDestination kafka = kafka(TestKafka.broker().address()).build()) {
      Outcomes outcomes = Outcomes.of(kafka, before, large, after);

      assertThat(outcomes.took(before)).isTrue();
      assertThat(outcomes.took(after)).isTrue();
      assertThat(outcomes.failure(large))
          .isInstanceOf(NonRetryableException.class)
          .hasMessageContaining(large.eventId())
          .hasMessageContaining("max.message.bytes")
          .hasMessageMatching(".* has 5\\d\\d\\d bytes .*")
          .hasMessageNotContaining("xxxx");
    }
  }

  @Test
  void anEventThatIsTooLargeForTheProducerIsRefusedWithItsLimit() throws Exception {
    String topic = TestKafka.topic("small-producer");
    EventEnvelope large = event(topic, "x".repeat(5_000));

    try (KafkaDestination kafka =
        kafka(TestKafka.broker().address()).property("max.request.size", 3_000).build()) {
      assertThat(Outcomes.of(kafka, large).failure(large))
          .isInstanceOf(NonRetryableException.class)
          .hasMessageContaining("max.request.size of the producer (3000)");
    }
  }

  @Test
  void aMissingTopicIsAFailedTryOfItsEventsAlone() throws Exception {
    String topic = TestKafka.topic("present");
    EventEnvelope lost = event("absent", "a");
    EventEnvelope found = event(topic, "b");

    try (KafkaDestination kafka =
        kafka(TestKafka.broker().address()).property("max.block.ms", 2_000).build()) {
      Outcomes missing = new Outcomes(kafka, List.of(lost));
      assertThat(Outcomes.of(kafka, found).took(found)).isTrue();
      assertThat(missing.await().failure(lost))
          .isExactlyInstanceOf(OutboxException.class)
          .hasMessageContaining("topic absent does not exist")
          .hasMessageContaining(lost.eventId())
          .hasMessageContaining("create the topic");

      TestKafka.topic("absent");
      await().atMost(PATIENCE).until(() -> Outcomes.of(kafka, lost).took(lost));
    }
  }

  @Test
  void manyMissingTopicsAreNoOutage() throws Exception {
    EventEnvelope found = event(TestKafka.topic("beside-many"), "a");
    List<EventEnvelope> lost =
        IntStream.range(0, 3 * Topics.ASKERS).mapToObj(i -> event("absent-" + i, "b")).toList();
    List<EventEnvelope> all = new ArrayList<>(lost);
    all.add(found);

    try (KafkaDestination kafka =
        hasty(TestKafka.broker().address()).property("max.block.ms", 2_000).build()) {
      Outcomes outcomes = new Outcomes(kafka, all).await();

      assertThat(outcomes.failures(lost))
          .hasSize(lost.size())
          .allSatisfy(failure -> assertThat(failure).isNotInstanceOf(UnavailableException.class))
          .filteredOn(failure -> !(failure instanceof DeferException))
          .isNotEmpty()
          .allSatisfy(failure -> assertThat(failure).hasMessageContaining("does not exist"));
      Outcomes again = Outcomes.of(kafka, found);
      assertThat(again.took(found)).isTrue();
    }
  }

  @Test
  void aTopicThatNoTopicCanBeIsRefusedForGood() throws Exception {
    EventEnvelope event = event("no topic", "a");

    try (KafkaDestination kafka = kafka(TestKafka.broker().address()).build()) {
      assertThat(Outcomes.of(kafka, event).failure(event))
          .isInstanceOf(NonRetryableException.class)
          .hasMessageContaining("topic of event " + event.eventId())
          .hasMessageEndingWith("got: no topic");
    }
  }

  @Test
  void aRuleWithoutATopicFailsItsEventAlone() throws Exception {
    String topic = TestKafka.topic("ruled");
    EventEnvelope event = event("any", "a");
    EventEnvelope other = event("other", "b");

    try (KafkaDestination kafka =
        kafka(TestKafka.broker().address()).topic(sent -> sent == event ? topic : null).build()) {
      Outcomes outcomes = Outcomes.of(kafka, event, other);

      assertThat(outcomes.took(event)).isTrue();
      assertThat(outcomes.failure(other))
          .isInstanceOf(NonRetryableException.class)
          .hasMessageContaining("the rule for topics has none");
    }
  }

  @Test
  void aRecordThatTheTopicRefusesIsRefusedForGood() throws Exception {
    String topic =
        TestKafka.topic(TestKafka.broker(), "compacted", Map.of("cleanup.policy", "compact"));
    EventEnvelope unkeyed = EventEnvelope.builder("Tick").topic(topic).payloadJson("{}").build();
    EventEnvelope keyed = event(topic, "a");

    try (KafkaDestination kafka = kafka(TestKafka.broker().address()).build()) {
      assertThat(Outcomes.of(kafka, unkeyed).failure(unkeyed))
          .isInstanceOf(NonRetryableException.class)
          .hasMessageContaining(topic);
      assertThat(Outcomes.of(kafka, keyed).took(keyed)).isTrue();
    }
  }

  @Test
  void aTopicThatOneMayNotWriteToFailsItsEventsAlone() throws Exception {
    String open = TestKafka.topic("open");
    String closed = TestKafka.topic("closed");
    TestKafka.restrict(
        List.of(
            new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, closed, PatternType.LITERAL),
                new AccessControlEntry(
                    "User:" + KafkaBroker.USER, "*", AclOperation.WRITE, AclPermissionType.DENY))));
    EventEnvelope allowed = event(open, "a");
    EventEnvelope denied = event(closed, "b");

    try (KafkaDestination kafka = guarded(KafkaBroker.PASSWORD).build()) {
      Outcomes outcomes = Outcomes.of(kafka, allowed, denied);

      assertThat(outcomes.took(allowed)).isTrue();
      assertThat(outcomes.failure(denied))
          .isExactlyInstanceOf(OutboxException.class)
          .hasMessageContaining("not allowed to write to topic closed")
          .hasMessageContaining("grant WRITE");
    }
  }

  @Test
  void aWrongPasswordIsNoEventsFaultAndIsNotTold() throws Exception {
    EventEnvelope event = event("any", "a");

    try (KafkaDestination kafka = guarded("wrong-secret").build()) {
      for (int i = 0; i < 2; i++) {
        assertThat(Outcomes.of(kafka, event).failure(event))
            .isInstanceOf(UnavailableException.class)
            .hasMessageContaining("refuses the credentials")
            .hasMessageNotContaining("wrong-secret");
      }
    }
  }

  @Test
  void anUnreachableHostIsNoEventsFault() throws Exception {
    EventEnvelope event = event("any", "a");

    try (KafkaDestination nobody = hasty("localhost:1").build();
        KafkaDestination nowhere = hasty("no-such-host.invalid:9092").build()) {
      assertThat(Outcomes.of(nobody, event).failure(event))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("Kafka at localhost:1 can't be reached");
      assertThat(Outcomes.of(nowhere, event).failure(event))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("Kafka at no-such-host.invalid:9092 can't be reached");
    }
  }

  private static KafkaDestination.Builder kafka(String address) {
    return KafkaDestination.builder(address);
  }

  private static KafkaDestination.Builder hasty(String address) {
    return kafka(address).deliveryTimeout(Duration.ofSeconds(4));
  }

  private static KafkaDestination.Builder guarded(String password) {
    return kafka(TestKafka.broker().guardedAddress())
        .property("security.protocol", "SASL_PLAINTEXT")
        .property("sasl.mechanism", "PLAIN")
        .property(
            "sasl.jaas.config",
            "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";"
                .formatted(KafkaBroker.USER, password));
  }

  private static EventEnvelope event(String topic, String text) {
    return EventEnvelope.builder("OrderPlaced")
        .aggregateType("Order")
        .aggregateId("order-1")
        .topic(topic)
        .payloadJson("{\"text\":\"%s\"}".formatted(text))
        .build();
  }
}
