package outbox.kafka;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.jspecify.annotations.Nullable;

/** The records of one transaction, and what the producer says of each. */
final class Transaction {

  private final Set<Parcel> unanswered = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Parcel, Throwable> refused = new HashMap<>();

  @SuppressWarnings("FutureReturnValueIgnored") // the callback is told
  void send(Producer<byte[], byte[]> producer, Parcel parcel) {
    expect(parcel);
    try {
      producer.send(parcel.record(), (metadata, failure) -> answer(parcel, failure));
    } catch (RuntimeException e) {
      answer(parcel, null); // it wasn't sent, and there won't be another
      throw e;
    }
  }

  /** Waits until every record has its answer, or one was refused; false if that takes longer. */
  synchronized boolean isDecidedWithin(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (!unanswered.isEmpty() && refused.isEmpty()) {
      long millis = Duration.ofNanos(end - System.nanoTime()).toMillis();
      if (millis <= 0) {
        return false;
      }
      wait(millis);
    }
    return true;
  }

  synchronized boolean isRefused() {
    return !refused.isEmpty();
  }

  synchronized Map<Parcel, Throwable> refused() {
    return Map.copyOf(refused);
  }

  synchronized Set<String> unansweredTopics() {
    return unanswered.stream().map(Parcel::topic).collect(Collectors.toSet());
  }

  /** Refuses those for this topic that have no answer. */
  synchronized void refuse(String topic, Throwable failure) {
    for (Parcel parcel : unanswered) {
      if (parcel.topic().equals(topic)) {
        refused.put(parcel, failure);
      }
    }
  }

  private synchronized void expect(Parcel parcel) {
    unanswered.add(parcel);
  }

  private synchronized void answer(Parcel parcel, @Nullable Exception failure) {
    unanswered.remove(parcel);
    if (failure != null && !(failure instanceof TransactionAbortedException)) {
      refused.put(parcel, failure);
    }
    notifyAll();
  }
}
