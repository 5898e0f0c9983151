package outbox.kafka;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends each record by itself; the producer makes requests of what is there together. */
final class PlainCarrier implements Carrier {

  private final Producers producers;
  private final Topics topics;
  private final Failures failures;

  PlainCarrier(Producers producers, Topics topics, Failures failures) {
    this.producers = producers;
    this.topics = topics;
    this.failures = failures;
  }

  @Override
  public void carry(List<Parcel> parcels) {
    Deque<Parcel> rest = new ArrayDeque<>(parcels);
    List<Parcel> strangers = new ArrayList<>();
    while (!rest.isEmpty()) {
      Parcel parcel = rest.removeFirst();
      if (topics.isKnown(parcel.topic())) {
        Throwable refusal = send(parcel);
        if (refusal instanceof BufferExhaustedException) {
          rest.forEach(other -> fail(other, refusal)); // each would wait as long for room
          break;
        }
        if (refusal instanceof TimeoutException) {
          topics.forget(parcel.topic());
        }
      } else {
        strangers.add(parcel); // forgotten since: the wait for it is not this thread's
      }
    }
    if (!strangers.isEmpty()) {
      topics.admit(strangers);
    }
  }

  /** Returns what the producer refused the record with at once, already answered; else null. */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback is told
  private @Nullable Throwable send(Parcel parcel) {
    Answer answer = new Answer(parcel);
    try {
      Producer<byte[], byte[]> producer = producers.current();
      answer.producer = producer;
      producer.send(parcel.record(), (metadata, failure) -> answer.take(failure));
    } catch (Throwable e) { // whatever it is, the event needs an answer
      answer.take(e);
    }
    return answer.endCall();
  }

  private void fail(Parcel parcel, Throwable failure) {
    parcel.failed(failures.of(parcel, failure));
  }

  /** Comes once; during the call on its thread, or later on the producer's. */
  private final class Answer {

    private final Parcel parcel;
    private final Thread caller = Thread.currentThread();
    private @Nullable Producer<byte[], byte[]> producer;
    private @Nullable Throwable refusal;

    Answer(Parcel parcel) {
      this.parcel = parcel;
    }

    void take(@Nullable Throwable failure) {
      if (failure == null) {
        parcel.delivered();
        return;
      }
      if (Thread.currentThread() == caller) {
        refusal = failure;
      }
      if (producer != null) {
        producers.replaceIfBroken(producer, failure);
      }
      fail(parcel, failure);
    }

    @Nullable Throwable endCall() {
      return refusal;
    }
  }
}
