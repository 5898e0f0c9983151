package outbox.faults.history;

import java.util.List;

/** A line of a history. */
public sealed interface Entry {

  /** When, by the machine's monotonic clock. */
  long nanos();

  /**
   * An event as its writer knows it: the version counts the events of its key.
   *
   * @param payload length and digest, as {@link Payload#print} has them; empty if nobody cares
   */
  record Event(String id, String key, int version, String payload) {

    /** Of which only the version is known. */
    public Event(String id, String key, int version) {
      this(id, key, version, "");
    }
  }

  /** A transaction; its number is one of its process's. */
  record Transaction(String process, long number, List<Event> events) {

    public Transaction {
      events = List.copyOf(events);
    }
  }

  /** A call of a listener; its number is one of its process's. */
  record Call(String process, long number, long begun, Event event, long sequence, long epoch) {}

  /** A transaction that is about to be committed. */
  record Writes(long nanos, Transaction transaction) implements Entry {}

  /** The database confirmed the commit. */
  record Committed(long nanos, Transaction transaction) implements Entry {}

  /** The database confirmed the rollback, or the writer never asked for a commit. */
  record RolledBack(long nanos, Transaction transaction) implements Entry {}

  /** A listener was given a list of so many events. */
  record Takes(long nanos, String process, int size) implements Entry {}

  record Begins(Call call) implements Entry {

    @Override
    public long nanos() {
      return call.begun();
    }
  }

  /** Who made the call is told that it failed, though it will have succeeded. */
  record Forgets(long nanos, Call call) implements Entry {}

  record Ends(long nanos, Call call, boolean succeeded) implements Entry {}

  /** A process noticed that others took over what it had. */
  record LostLease(long nanos, String process) implements Entry {}
}
