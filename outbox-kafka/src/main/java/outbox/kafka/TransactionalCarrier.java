package outbox.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import outbox.destination.UnavailableException;

/**
 * Sends each batch in a transaction. A batch that contains what Kafka refuses is sent again at once
 * without that: of the others none waits, and none is charged. What nobody waits for any more, as
 * after a guard's timeout, is left out likewise, because it is sent again by others; only a commit
 * that is on its way by then can't be called back.
 */
final class TransactionalCarrier implements Carrier {

  /** How long answers may take before it is looked whether their topics are still there. */
  private static final Duration UNSUSPICIOUS = Duration.ofSeconds(1);

  private final Producers producers;
  private final Topics topics;
  private final Failures failures;
  private final Duration limit;

  /**
   * @param limit how long the producer takes at most to answer
   */
  TransactionalCarrier(Producers producers, Topics topics, Failures failures, Duration limit) {
    this.producers = producers;
    this.topics = topics;
    this.failures = failures;
    this.limit = limit;
  }

  @Override
  public void carry(List<Parcel> parcels) {
    List<Parcel> open = new ArrayList<>();
    List<Parcel> strangers = new ArrayList<>(); // forgotten since: the wait is not this thread's
    for (Parcel parcel : parcels) {
      (topics.isKnown(parcel.topic()) ? open : strangers).add(parcel);
    }
    while (!open.isEmpty()) {
      open = transact(open);
    }
    if (!strangers.isEmpty()) {
      topics.admit(strangers);
    }
  }

  /** Returns what is to be sent in another transaction, always fewer. */
  private List<Parcel> transact(List<Parcel> parcels) {
    Transaction transaction = new Transaction();
    Producer<byte[], byte[]> producer = null;
    try {
      producer = producers.transactional();
      send(producer, parcels, transaction);
      if (!transaction.isRefused() && areWanted(parcels)) {
        producer.commitTransaction();
        parcels.forEach(Parcel::delivered);
        return List.of();
      }
      return without(abort(producer, transaction), parcels);
    } catch (Throwable e) { // whatever it is, the events need an answer
      // Whether a commit arrived that wasn't answered, only a new producer can find out.
      if (producer != null) {
        producers.replace(producer, e);
      }
      parcels.forEach(parcel -> parcel.failed(failures.ofAll(e)));
      return List.of();
    }
  }

  private static boolean areWanted(List<Parcel> parcels) {
    return parcels.stream().allMatch(Parcel::isWanted);
  }

  /** Returns when every record has its answer, or one was refused or isn't wanted any more. */
  private void send(
      Producer<byte[], byte[]> producer, List<Parcel> parcels, Transaction transaction) {
    producer.beginTransaction();
    KafkaException unsent = null;
    try {
      for (Parcel parcel : parcels) {
        transaction.send(producer, parcel);
        if (transaction.isRefused()) {
          return; // it takes nothing any more
        }
      }
    } catch (KafkaException e) {
      unsent = e; // unless one before it was refused, whose answer is on its way
    }
    awaitAnswers(producer, parcels, transaction);
    if (unsent != null && !transaction.isRefused()) {
      throw unsent;
    }
  }

  /** A record for a topic that is gone would wait as long as it may, and all others with it. */
  private void awaitAnswers(
      Producer<byte[], byte[]> producer, List<Parcel> parcels, Transaction transaction) {
    long begin = System.nanoTime();
    try {
      while (!transaction.isDecidedWithin(UNSUSPICIOUS) && areWanted(parcels)) {
        refuseAbsent(producer, transaction);
        if (System.nanoTime() - begin > limit.toNanos()) {
          throw new TimeoutException("no answer to a transaction within " + limit);
        }
      }
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /** One topic at a time: each takes a while. */
  private static void refuseAbsent(Producer<byte[], byte[]> producer, Transaction transaction) {
    for (String topic : transaction.unansweredTopics()) {
      Throwable absence = absence(producer, topic);
      if (absence != null) {
        transaction.refuse(topic, absence);
        return;
      }
    }
  }

  /** What the brokers say of a topic that isn't there; null if it is, as far as one knows. */
  private static @Nullable Throwable absence(Producer<byte[], byte[]> producer, String topic) {
    try {
      producer.partitionsFor(topic); // costs nothing as long as no broker has missed the topic
      return null;
    } catch (KafkaException e) {
      return Failures.isMissingTopic(e) ? e : null;
    }
  }

  /** Returns what was refused. The next producer ends what this one can't. */
  private Map<Parcel, Throwable> abort(Producer<byte[], byte[]> producer, Transaction transaction) {
    Map<Parcel, Throwable> refused = transaction.refused();
    try {
      producer.abortTransaction();
      return transaction.refused(); // those that were under way are answered now, too
    } catch (TimeoutException e) {
      producers.replace(producer, e);
      return refused; // not what ends with the producer
    }
  }

  /** What is wrong with a topic is wrong for all its parcels. */
  private List<Parcel> without(Map<Parcel, Throwable> refused, List<Parcel> parcels) {
    Map<String, Throwable> absent = new HashMap<>();
    for (Map.Entry<Parcel, Throwable> one : refused.entrySet()) {
      if (failures.of(one.getKey(), one.getValue()) instanceof UnavailableException unavailable) {
        parcels.forEach(parcel -> parcel.failed(unavailable));
        return List.of();
      }
      if (Failures.isMissingTopic(one.getValue())) {
        absent.put(one.getKey().topic(), one.getValue());
      }
    }
    absent.forEach(topics::miss);
    List<Parcel> rest = new ArrayList<>();
    for (Parcel parcel : parcels) {
      Throwable failure = refused.getOrDefault(parcel, absent.get(parcel.topic()));
      if (failure != null) {
        parcel.failed(failures.of(parcel, failure));
      } else if (parcel.isWanted()) {
        rest.add(parcel);
      }
    }
    return rest;
  }
}
