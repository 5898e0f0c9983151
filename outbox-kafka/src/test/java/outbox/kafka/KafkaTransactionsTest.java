package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.NonRetryableException;
import outbox.OutboxException;
import outbox.destination.MessageHeaders;
import outbox.destination.UnavailableException;

class KafkaTransactionsTest {

  @Test
  void aBatchArrivesInOneTransactionAndInOrder() throws Exception {
    String topic = TestKafka.topic("transactions");
    List<EventEnvelope> events =
        IntStream.range(0, 50).mapToObj(i -> event(topic, "e" + i)).toList();

    try (KafkaDestination kafka = kafka("one").build();
        TopicReader reader = new TopicReader(TestKafka.broker(), topic)) {
      Outcomes outcomes = new Outcomes(kafka, events).await();

      assertThat(events).allMatch(outcomes::took);
      assertThat(reader.await(50))
          .extracting(record -> TopicReader.header(record, MessageHeaders.EVENT_ID))
          .containsExactlyElementsOf(events.stream().map(EventEnvelope::eventId).toList());
    }
  }

  @Test
  void whatIsRefusedIsLeftOutAndTheOthersArriveOnce() throws Exception {
    String topic =
        TestKafka.topic(
            TestKafka.broker(), "small-transactions", Map.of("max.message.bytes", "2000"));
    EventEnvelope before = event(topic, "a");
    EventEnvelope large = event(topic, "x".repeat(5_000));
    EventEnvelope after = event(topic, "b");

    try (KafkaDestination kafka = kafka("two").build();
        TopicReader reader = new TopicReader(TestKafka.broker(), topic)) {
      Outcomes outcomes = Outcomes.of(kafka, before, large, after);

      assertThat(outcomes.took(before)).isTrue();
      assertThat(outcomes.failure(large)).isInstanceOf(NonRetryableException.class);
      assertThat(outcomes.took(after)).isTrue();
      assertThat(reader.await(2))
          .extracting(record -> TopicReader.header(record, MessageHeaders.EVENT_ID))
          .containsExactly(before.eventId(), after.eventId());
    }
  }

  @Test
  void aTopicThatIsDeletedFailsItsEventsAndTheOthersArriveInOrder() throws Exception {
    String kept = TestKafka.topic("kept");
    String deleted = TestKafka.topic("deleted");
    List<EventEnvelope> lost = IntStream.range(0, 10).mapToObj(i -> event(deleted, "")).toList();
    List<EventEnvelope> found = IntStream.range(0, 10).mapToObj(i -> event(kept, "")).toList();
    List<EventEnvelope> mixed = new ArrayList<>();
    for (int i = 0; i < lost.size(); i++) {
      mixed.addAll(List.of(lost.get(i), found.get(i)));
    }

    try (KafkaDestination kafka = kafka("three").property("max.block.ms", 2_000).build();
        TopicReader reader = new TopicReader(TestKafka.broker(), kept)) {
      EventEnvelope early = event(deleted, "a");
      assertThat(Outcomes.of(kafka, early).took(early)).isTrue();
      TestKafka.delete(deleted);
      Outcomes outcomes = new Outcomes(kafka, mixed).await();

      assertThat(found).allMatch(outcomes::took);
      assertThat(reader.await(10))
          .extracting(record -> TopicReader.header(record, MessageHeaders.EVENT_ID))
          .containsExactlyElementsOf(found.stream().map(EventEnvelope::eventId).toList());
      for (EventEnvelope event : lost) {
        assertThat(outcomes.failure(event))
            .isExactlyInstanceOf(OutboxException.class)
            .hasMessageContaining("topic deleted does not exist")
            .hasMessageContaining(event.eventId())
            .hasMessageContaining("create the topic");
      }
    }
  }

  @Test
  void aFencedProducerIsReplacedAndNoEventIsCharged() throws Exception {
    String topic = TestKafka.topic("fenced");

    try (KafkaDestination first = kafka("shared").build();
        KafkaDestination second = kafka("shared").build()) {
      EventEnvelope event = event(topic, "a");
      assertThat(Outcomes.of(first, event).took(event)).isTrue();
      assertThat(Outcomes.of(second, event).took(event)).isTrue();

      assertThat(Outcomes.of(first, event).failure(event)).isInstanceOf(UnavailableException.class);
      await().atMost(Duration.ofMinutes(1)).until(() -> Outcomes.of(first, event).took(event));
    }
  }

  private static KafkaDestination.Builder kafka(String transactionalId) {
    return KafkaDestination.builder(TestKafka.broker().address()).transactionalId(transactionalId);
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
