package outbox.ordered;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.model.EventKey;
import outbox.spi.OrderedStore;

/**
 * The aggregates that wait for an operator, also those that others deliver. Each of those that are
 * ours has a lane, which holds up whatever comes. Guarded by the lock of {@link Lanes}.
 */
final class Blocks {

  private final LaneSettings settings;
  private final Map<Object, Lane> lanes;
  private final Holdings holdings;
  private final Flow flow;
  private final Map<EventKey, Lane.Block> blocks = new HashMap<>();

  /** Lanes that go on once what blocks was read, and since when they wait for that. */
  private final Map<Lane, Long> unsure = new LinkedHashMap<>();

  Blocks(LaneSettings settings, Map<Object, Lane> lanes, Holdings holdings, Flow flow) {
    this.settings = settings;
    this.lanes = lanes;
    this.holdings = holdings;
    this.flow = flow;
  }

  int size() {
    return blocks.size();
  }

  /** The event is dead. */
  void add(Lane lane, Entry dead) {
    EventKey key = lane.key();
    if (key != null && settings.onDead() == OnDead.BLOCK_KEY) {
      Lane.Block block =
          new Lane.Block(dead.eventId(), dead.seq(), lane.partition(), System.nanoTime());
      blocks.put(key, block);
      hold(lane, block);
    }
  }

  /**
   * The event that nobody knows the end of is not pending any more. If it is dead it blocks, and
   * the two were committed together: so whoever reads from now on what blocks sees it.
   */
  void doubt(Lane lane) {
    if (lane.key() != null && settings.onDead() == OnDead.BLOCK_KEY) {
      lane.unsure(true);
      unsure.put(lane, System.nanoTime());
    }
  }

  /** The lane is not ours any more. */
  void forget(Lane lane) {
    unsure.remove(lane);
  }

  /** Whether it is time to read what blocks. */
  boolean mayBeMore() {
    return !unsure.isEmpty();
  }

  /** What blocks, as it was read after this moment; all else that was older goes on. */
  void update(List<OrderedStore.Block> read, long readNanos) {
    Set<EventKey> current = new HashSet<>();
    read.forEach(block -> current.add(block.key()));
    for (Map.Entry<EventKey, Lane.Block> known : List.copyOf(blocks.entrySet())) {
      boolean isOlder = known.getValue().sinceNanos() - readNanos < 0;
      if (isOlder && !current.contains(known.getKey())) {
        remove(known.getKey());
      }
    }
    for (OrderedStore.Block block : read) {
      int partition = settings.partitionOf(block.bucket());
      blocks.computeIfAbsent(
          block.key(), key -> new Lane.Block(block.eventId(), block.seq(), partition, readNanos));
    }
    holdLanes();
    for (Map.Entry<Lane, Long> lane : List.copyOf(unsure.entrySet())) {
      if (lane.getValue() - readNanos < 0) {
        unsure.remove(lane.getKey());
        lane.getKey().unsure(false);
        flow.advance(lane.getKey());
      }
    }
  }

  /** Sees to it that nothing goes on that is blocked and ours. */
  void holdLanes() {
    blocks.forEach(
        (key, block) -> {
          if (holdings.get(block.partition()) != null) {
            Lane lane = lanes.computeIfAbsent(key, k -> new Lane(k, key, block.partition()));
            if (lane.block() == null) {
              hold(lane, block);
            }
          }
        });
  }

  private void hold(Lane lane, Lane.Block block) {
    flow.forget(lane);
    lane.block(block);
  }

  private void remove(EventKey key) {
    blocks.remove(key);
    Lane lane = lanes.get(key);
    if (lane != null) {
      lane.unblock();
      flow.advance(lane);
    }
  }
}
