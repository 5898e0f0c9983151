package outbox.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.jspecify.annotations.Nullable;
import outbox.destination.UnavailableException;

/**
 * Sends each batch in a transaction. A batch that contains what Kafka refuses is sent again at once
 * without that: of the others none waits, and none is charged.
 */
final class TransactionalCarrier implements Carrier {

  private final Producers producers;
  private final Failures failures;

  TransactionalCarrier(Producers producers, Failures failures) {
    this.producers = producers;
    this.failures = failures;
  }

  @Override
  public void carry(List<Parcel> parcels) {
    List<Parcel> open = parcels;
    while (!open.isEmpty()) {
      open = transact(open);
    }
  }

  /** Returns what is to be sent in another transaction, always fewer. */
  private List<Parcel> transact(List<Parcel> parcels) {
    Map<Parcel, Throwable> refused = new ConcurrentHashMap<>();
    Producer<byte[], byte[]> producer = null;
    try {
      producer = producers.transactional();
      send(producer, parcels, refused);
      if (refused.isEmpty()) {
        producer.commitTransaction();
        parcels.forEach(Parcel::delivered);
        return List.of();
      }
      producer.abortTransaction();
      return without(refused, parcels);
    } catch (Throwable e) { // whatever it is, the events need an answer
      // Whether a commit arrived that wasn't answered, only a new producer can find out.
      if (producer != null) {
        producers.replace(producer, e);
      }
      parcels.forEach(parcel -> parcel.failed(failures.ofAll(e)));
      return List.of();
    }
  }

  /** Returns when every record has its answer, or one was refused. */
  @SuppressWarnings("FutureReturnValueIgnored") // the callback is told
  private static void send(
      Producer<byte[], byte[]> producer, List<Parcel> parcels, Map<Parcel, Throwable> refused) {
    producer.beginTransaction();
    try {
      for (Parcel parcel : parcels) {
        producer.send(parcel.record(), (metadata, failure) -> note(parcel, failure, refused));
        if (!refused.isEmpty()) {
          return; // the transaction takes nothing any more
        }
      }
      producer.flush();
    } catch (KafkaException e) {
      producer.flush(); // a record before this one was refused, and its answer is on its way
      if (refused.isEmpty()) {
        throw e;
      }
    }
  }

  private static void note(
      Parcel parcel, @Nullable Exception failure, Map<Parcel, Throwable> refused) {
    if (failure != null && !(failure instanceof TransactionAbortedException)) {
      refused.put(parcel, failure);
    }
  }

  private List<Parcel> without(Map<Parcel, Throwable> refused, List<Parcel> parcels) {
    for (Map.Entry<Parcel, Throwable> one : refused.entrySet()) {
      if (failures.of(one.getKey(), one.getValue()) instanceof UnavailableException unavailable) {
        parcels.forEach(parcel -> parcel.failed(unavailable));
        return List.of();
      }
    }
    refused.forEach((parcel, failure) -> parcel.failed(failures.of(parcel, failure)));
    List<Parcel> rest = new ArrayList<>(parcels);
    rest.removeAll(refused.keySet());
    return rest;
  }
}
