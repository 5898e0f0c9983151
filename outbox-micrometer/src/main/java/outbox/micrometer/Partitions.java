package outbox.micrometer;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Which partitions of a table this process holds, and since which epoch. */
final class Partitions {

  private final Meters table;
  private final Map<Integer, Partition> partitions = new HashMap<>();

  private record Partition(AtomicLong owner, AtomicLong epoch) {}

  Partitions(Meters table) {
    this.table = table;
  }

  /** A partition that there is no more, because another number was chosen, is nobody's. */
  synchronized void record(int count, Map<Integer, Long> epochs) {
    for (int number = 0; number < count; number++) {
      partitions.computeIfAbsent(number, this::partition);
    }
    partitions.forEach(
        (number, partition) -> {
          Long epoch = epochs.get(number);
          partition.owner().set(epoch == null ? 0 : 1);
          partition.epoch().set(epoch == null ? 0 : epoch);
        });
  }

  private Partition partition(int number) {
    Meters meters = table.tagged("partition", Integer.toString(number));
    return new Partition(
        meters.gauge("partition.owner", "1 if this process delivers the partition"),
        meters.gauge("partition.epoch", "The epoch in which this process has it, else 0"));
  }
}
