package outbox.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.destination.Message;

/** An event on its way; it gets one answer, the first. */
final class Outgoing {

  private final Batch batch;
  private final int position;
  private final EventEnvelope event;
  private final Target target;
  private final BasicProperties properties;
  private final byte[] body;
  private final AtomicBoolean answered = new AtomicBoolean();
  private volatile @Nullable Throwable returned;

  /**
   * @param position in the batch
   */
  Outgoing(Batch batch, int position, EventEnvelope event, Target target, Message message) {
    this.batch = batch;
    this.position = position;
    this.event = event;
    this.target = target;
    properties = Packing.properties(event, message);
    body = message.body();
  }

  EventEnvelope event() {
    return event;
  }

  Target target() {
    return target;
  }

  BasicProperties properties() {
    return properties;
  }

  byte[] body() {
    return body;
  }

  /** Whether nobody waits for it any more, and it needn't be sent. */
  boolean isAbandoned() {
    return batch.stage().isDone();
  }

  /** Why it must not be published, although it isn't its fault; null if it may. */
  @Nullable Throwable obstacle() {
    return batch.obstacle(event, position);
  }

  /** The broker says so first and then acknowledges the message all the same. */
  void returned(Throwable failure) {
    returned = failure;
  }

  boolean isReturned() {
    return returned != null;
  }

  void acknowledged() {
    Throwable failure = returned;
    if (failure != null) {
      failed(failure);
    } else if (answered.compareAndSet(false, true)) {
      batch.delivered(event);
    }
  }

  /** What was said when the message was returned says more. */
  void nacked(Supplier<? extends Throwable> failure) {
    Throwable told = returned;
    failed(told == null ? failure.get() : told);
  }

  void failed(Throwable failure) {
    if (answered.compareAndSet(false, true)) {
      batch.failed(event, position, failure);
    }
  }

  /** Such as {@code event 01J… (OrderPlaced)}. */
  @Override
  public String toString() {
    return "event %s (%s)".formatted(event.eventId(), event.eventType());
  }
}
