package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.EventEnvelope;

/** What listeners were given, in the order of the calls, and what they answered. */
final class DeliveryHistory {

  private final List<Delivered> deliveries = new ArrayList<>();

  /** One call of a listener. */
  record Delivered(String aggregateId, int number, boolean succeeded) {}

  /** Events carry their place in the order of their aggregate as payload. */
  synchronized void add(EventEnvelope event, boolean succeeded) {
    deliveries.add(
        new Delivered(
            String.valueOf(event.aggregateId()),
            Integer.parseInt(String.valueOf(event.payloadJson())),
            succeeded));
  }

  synchronized List<Integer> succeeded(String aggregateId) {
    return deliveries.stream()
        .filter(delivered -> delivered.aggregateId().equals(aggregateId) && delivered.succeeded())
        .map(Delivered::number)
        .toList();
  }

  synchronized long succeeded() {
    return deliveries.stream().filter(Delivered::succeeded).distinct().count();
  }

  /** No event was handed over before the one in front of it had succeeded. */
  synchronized void assertInOrder() {
    Map<String, Set<Integer>> ended = new LinkedHashMap<>();
    for (Delivered delivered : deliveries) {
      Set<Integer> before = ended.computeIfAbsent(delivered.aggregateId(), id -> new HashSet<>());
      if (delivered.number() > 0) {
        assertThat(before).as(delivered.toString()).contains(delivered.number() - 1);
      }
      if (delivered.succeeded()) {
        before.add(delivered.number());
      }
    }
  }
}
