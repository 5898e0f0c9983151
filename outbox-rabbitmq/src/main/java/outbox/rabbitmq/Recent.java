package outbox.rabbitmq;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was learnt of late, of so many things at most: the one that nobody has asked for longest
 * makes room. Safe for all threads.
 */
final class Recent<K, V> {

  private final long nanos;
  private final Map<K, Learnt<V>> byKey;

  Recent(int most, Duration remembered) {
    nanos = remembered.toNanos();
    byKey =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Learnt<V>> eldest) {
            return size() > most;
          }
        };
  }

  synchronized void put(K key, V value) {
    byKey.put(key, new Learnt<>(value, System.nanoTime()));
  }

  synchronized @Nullable V get(K key) {
    Learnt<V> learnt = byKey.get(key);
    if (learnt == null) {
      return null;
    }
    if (System.nanoTime() - learnt.at > nanos) {
      byKey.remove(key);
      return null;
    }
    return learnt.value;
  }

  synchronized boolean has(K key) {
    return get(key) != null;
  }

  synchronized void remove(K key) {
    byKey.remove(key);
  }

  synchronized void clear() {
    byKey.clear();
  }

  private record Learnt<V>(V value, long at) {}
}
