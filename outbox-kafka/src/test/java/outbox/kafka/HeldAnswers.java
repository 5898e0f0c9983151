package outbox.kafka;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Keeps a producer from hearing what the broker has acknowledged until it is released. */
final class HeldAnswers {

  private static final String PROPERTY = "outbox.test.held-answers";

  private final CountDownLatch acknowledged = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /** What makes a producer one whose answers are held. */
  Map<String, Object> properties() {
    return Map.of("interceptor.classes", Interceptor.class.getName(), PROPERTY, this);
  }

  /** Returns when the broker has a record that its producer doesn't hear of. */
  void awaitFirst() throws InterruptedException {
    if (!acknowledged.await(1, TimeUnit.MINUTES)) {
      throw new AssertionError("the broker acknowledged nothing within a minute");
    }
  }

  void release() {
    released.countDown();
  }

  /** Made by the producer. */
  public static final class Interceptor implements ProducerInterceptor<byte[], byte[]> {

    private HeldAnswers held;

    @Override
    public void configure(Map<String, ?> configs) {
      held = (HeldAnswers) configs.get(PROPERTY);
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
      return record;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception failure) {
      held.acknowledged.countDown();
      try {
        held.released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {}
  }
}
