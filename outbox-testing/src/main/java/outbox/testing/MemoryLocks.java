package outbox.testing;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.testing.MemoryTable.Transaction;

/** What transactions have locked, each by itself or together with others. */
final class MemoryLocks {

  /** How a thing is locked. */
  enum Mode {
    /** Only waits until no other transaction is changing it. */
    READ,
    /** Nobody changes it until the transaction ends. */
    SHARED,
    /** Nobody else changes or shares it until the transaction ends. */
    EXCLUSIVE
  }

  private final Map<Object, Transaction> exclusive = new HashMap<>();
  private final Map<Object, Set<Transaction>> shared = new HashMap<>();

  /** Nobody else is in the way; a null transaction is another than all. */
  boolean isFree(@Nullable Transaction tx, Object key, Mode mode) {
    Transaction owner = exclusive.get(key);
    return (owner == null || owner == tx)
        && (mode != Mode.EXCLUSIVE
            || shared.getOrDefault(key, Set.of()).stream().allMatch(any -> any == tx));
  }

  void take(Transaction tx, Object key, Mode mode) {
    if (mode == Mode.EXCLUSIVE) {
      exclusive.put(key, tx);
    } else if (mode == Mode.SHARED) {
      shared.computeIfAbsent(key, any -> new HashSet<>()).add(tx);
    }
  }

  void release(Transaction tx) {
    exclusive.values().removeIf(owner -> owner == tx);
    shared.values().forEach(owners -> owners.remove(tx));
    shared.values().removeIf(Set::isEmpty);
  }
}
