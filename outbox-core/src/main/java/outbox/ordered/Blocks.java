package outbox.ordered;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import outbox.model.EventKey;
import outbox.spi.OrderedStore;
import outbox.util.Nullable;

/** The aggregates that wait for an operator. Guarded by the lock of {@link Lanes}. */
final class Blocks {

  private final Map<EventKey, Lane.Block> blocks = new HashMap<>();

  void put(EventKey key, Lane.Block block) {
    blocks.put(key, block);
  }

  Lane.@Nullable Block of(@Nullable EventKey key) {
    return key == null ? null : blocks.get(key);
  }

  /**
   * What blocks, as it was read after this moment; returns the aggregates that are blocked no more,
   * with what blocked them.
   */
  Map<EventKey, Lane.Block> update(List<OrderedStore.Block> read, long readNanos) {
    Map<EventKey, String> current =
        read.stream()
            .collect(
                Collectors.toMap(
                    OrderedStore.Block::key, OrderedStore.Block::eventId, (one, other) -> one));
    Map<EventKey, Lane.Block> over = new HashMap<>();
    for (EventKey key : new ArrayList<>(blocks.keySet())) {
      Lane.Block block = blocks.get(key);
      if (block != null && !current.containsKey(key) && block.sinceNanos() - readNanos < 0) {
        over.put(key, block);
        blocks.remove(key);
      }
    }
    current.forEach(
        (key, eventId) -> blocks.computeIfAbsent(key, k -> new Lane.Block(eventId, 0, readNanos)));
    return over;
  }
}
