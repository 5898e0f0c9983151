package outbox.faults.check;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import outbox.faults.history.Entry;
import outbox.faults.history.Entry.Event;
import outbox.faults.history.History;

/** What writers tried to commit, and what they know of it. */
final class Transactions {

  private final Map<String, Event> tried = new HashMap<>();
  private final Map<String, Long> committed = new HashMap<>();
  private final Set<String> rolledBack = new HashSet<>();

  static Transactions of(History history) {
    Transactions transactions = new Transactions();
    history.entries().forEach(transactions::follow);
    return transactions;
  }

  private void follow(Entry entry) {
    if (entry instanceof Entry.Writes writes) {
      writes.transaction().events().forEach(event -> tried.put(event.id(), event));
    } else if (entry instanceof Entry.Committed ended) {
      ended.transaction().events().forEach(event -> committed.put(event.id(), ended.nanos()));
    } else if (entry instanceof Entry.RolledBack ended) {
      ended.transaction().events().forEach(event -> rolledBack.add(event.id()));
    }
  }

  /** Somebody wrote exactly this event, and didn't take it back. */
  boolean mayHold(Event event) {
    return event.equals(tried.get(event.id())) && !rolledBack.contains(event.id());
  }

  /** When writers knew of each commit; those they don't know of are missing. */
  Map<String, Long> committed() {
    return committed;
  }

  Event event(String id) {
    Event event = tried.get(id);
    if (event == null) {
      throw new IllegalArgumentException("event must have been written, got: " + id);
    }
    return event;
  }
}
