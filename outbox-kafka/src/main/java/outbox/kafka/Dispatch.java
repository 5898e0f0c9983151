package outbox.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import outbox.BatchResult;
import outbox.destination.UnavailableException;
import outbox.util.DaemonThreadFactory;

/**
 * Hands parcels to the producer on a thread of its own, in the order they come: the producer's
 * {@code send} may block, its callers here must not.
 */
final class Dispatch {

  private final String name;
  private final Producers producers;
  private final Topics topics;
  private final Carrier carrier;
  private final ExecutorService handover;
  private final ExecutorService answers;
  private final Set<Shipment> shipments = ConcurrentHashMap.newKeySet();
  private final Duration limit;
  private volatile boolean closed;

  Dispatch(String name, ProducerSettings settings) {
    this.name = name;
    limit = settings.deliveryTimeout().plus(settings.maxBlock());
    Failures failures = new Failures(settings);
    producers = new Producers(name, settings);
    topics = new Topics(name, producers, failures, settings.maxBlock(), this::handOver);
    carrier =
        settings.transactional()
            ? new TransactionalCarrier(producers, topics, failures, limit)
            : new PlainCarrier(producers, topics, failures);
    handover = Executors.newSingleThreadExecutor(new DaemonThreadFactory(name + "-handover-"));
    answers = Executors.newSingleThreadExecutor(new DaemonThreadFactory(name + "-answers-"));
  }

  boolean isClosed() {
    return closed;
  }

  Shipment shipment(int size, BatchResult result) {
    Shipment shipment = new Shipment(size, result, answers, shipments::remove);
    shipments.add(shipment);
    shipment.limit(limit, this::tooLate);
    return shipment;
  }

  void send(List<Parcel> parcels) {
    if (!parcels.isEmpty()) {
      topics.admit(parcels);
    }
  }

  void close(Duration timeout) {
    closed = true;
    long deadline = System.nanoTime() + timeout.toNanos();
    try {
      topics.close(deadline);
      handover.shutdown();
      if (!handover.awaitTermination(left(deadline), TimeUnit.NANOSECONDS)) {
        handover.shutdownNow();
      }
      producers.close(Duration.ofNanos(left(deadline)));
      answers.shutdown();
      answers.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      handover.shutdownNow();
      producers.close(Duration.ZERO);
      answers.shutdown();
      Thread.currentThread().interrupt();
    }
    List.copyOf(shipments).forEach(shipment -> shipment.giveUp(closing()));
  }

  private void handOver(List<Parcel> parcels) {
    try {
      handover.execute(
          () -> {
            List<Parcel> wanted = new ArrayList<>(parcels);
            wanted.removeIf(parcel -> !parcel.isWanted());
            carrier.carry(wanted);
          });
    } catch (RejectedExecutionException e) {
      parcels.forEach(parcel -> parcel.failed(closing()));
    }
  }

  private UnavailableException closing() {
    return new UnavailableException(
        "destination %s was closed before Kafka acknowledged the event; it is sent again"
            .formatted(name),
        null);
  }

  private UnavailableException tooLate() {
    return new UnavailableException(
        "destination %s got no answer from Kafka within %s; the event is sent again"
            .formatted(name, limit),
        null);
  }

  private static long left(long deadline) {
    return Math.max(0, deadline - System.nanoTime());
  }
}
