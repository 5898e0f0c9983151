package outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.destination.GuardedDestination;
import outbox.destination.MessageFormat;
import outbox.destination.MessageHeaders;
import outbox.internal.BatchMarks;

/** A transaction that nobody waits for any more is not committed: its events are sent again. */
class KafkaGivenUpTransactionTest {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final HeldAnswers answers = new HeldAnswers();

  @Test
  void whatTheGuardPutsOffAfterItsTimeoutArrivesOnce() throws Exception {
    List<EventEnvelope> events = events(TestKafka.topic("timed-out"), 10);

    try (KafkaDestination kafka = kafka("timed-out")) {
      GuardedDestination guard =
          GuardedDestination.builder(kafka).timeout(Duration.ofSeconds(2)).build();
      BatchMarks marks = new BatchMarks(events);
      guard.onEventsAsync(events, marks).toCompletableFuture().get(1, TimeUnit.MINUTES);
      answers.release();

      assertThat(events).allMatch(event -> marks.failureOf(event) instanceof DeferException);
      assertArriveOnceWhenSentAgain(kafka, events);
    }
  }

  @Test
  void whatIsCancelledAfterTheBrokerHasItsRecordsArrivesOnce() throws Exception {
    List<EventEnvelope> events = events(TestKafka.topic("cancelled"), 10);

    try (KafkaDestination kafka = kafka("cancelled")) {
      CompletableFuture<?> stage = kafka.send(events, new BatchMarks(events)).toCompletableFuture();
      answers.awaitFirst();
      stage.cancel(true);
      answers.release();

      assertArriveOnceWhenSentAgain(kafka, events);
    }
  }

  @Test
  void whoIsInATransactionWithAnotherThatIsGivenUpIsDeliveredWithoutIt() throws Exception {
    String topic = TestKafka.topic("shared-transaction");
    ProducerSettings settings =
        ProducerSettings.of(
            TestKafka.broker().address(), "kafka", PATIENCE, "shared", answers.properties());
    Producers producers = new Producers("kafka", settings);
    Failures failures = new Failures(settings);
    CompletableFuture<List<Parcel>> admitted = new CompletableFuture<>();
    Topics topics = new Topics("kafka", producers, failures, PATIENCE, admitted::complete);
    TransactionalCarrier carrier = new TransactionalCarrier(producers, topics, failures, PATIENCE);
    Parcel givenUp = parcel(topic);
    Parcel wanted = parcel(topic);

    topics.admit(List.of(givenUp, wanted));
    List<Parcel> parcels = admitted.get(1, TimeUnit.MINUTES);
    CompletableFuture<?> carried = CompletableFuture.runAsync(() -> carrier.carry(parcels));
    answers.awaitFirst();
    givenUp.shipment().stage().toCompletableFuture().cancel(true);
    answers.release();
    carried.get(1, TimeUnit.MINUTES);
    producers.close(PATIENCE);

    assertThat(wanted.shipment().stage().toCompletableFuture()).isCompleted();
    assertThat(idsIn(topic, 1)).containsExactly(wanted.event().eventId());
  }

  private KafkaDestination kafka(String transactionalId) {
    return KafkaDestination.builder(TestKafka.broker().address())
        .transactionalId(transactionalId)
        .properties(answers.properties())
        .build();
  }

  private static void assertArriveOnceWhenSentAgain(
      KafkaDestination kafka, List<EventEnvelope> events) throws Exception {
    Outcomes outcomes = new Outcomes(kafka, events).await();

    assertThat(events).allMatch(outcomes::took);
    assertThat(idsIn(events.get(0).headers().get("topic"), events.size()))
        .containsExactlyElementsOf(events.stream().map(EventEnvelope::eventId).toList());
  }

  private static List<String> idsIn(String topic, int events) {
    try (TopicReader reader = new TopicReader(TestKafka.broker(), topic)) {
      return reader.await(events).stream()
          .map(record -> TopicReader.header(record, MessageHeaders.EVENT_ID))
          .toList();
    }
  }

  private static Parcel parcel(String topic) {
    EventEnvelope event = events(topic, 1).get(0);
    Shipment shipment = new Shipment(1, new BatchMarks(List.of(event)), Runnable::run, ended -> {});
    RecordFactory records = new RecordFactory(RecordFactory::topicOf, MessageFormat.raw());
    return new Parcel(event, records.record(event), shipment);
  }

  private static List<EventEnvelope> events(String topic, int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                EventEnvelope.builder("OrderPlaced")
                    .aggregateType("Order")
                    .aggregateId("order-1")
                    .topic(topic)
                    .payloadJson("{}")
                    .build())
        .toList();
  }
}
