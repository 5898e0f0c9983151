package outbox;

import java.util.List;
import java.util.Objects;
import outbox.spi.Claim;
import outbox.util.Nullable;

/**
 * Sees each batch of events on its way into the outbox: before the insert, after it, and when the
 * transaction has ended.
 *
 * <p>Only {@link #beforeWrite} can stop a write, by throwing or by returning nothing to insert.
 * Whatever the others throw is logged and goes no further: the business transaction never fails
 * because of them.
 */
public interface WriterHook {

  /** Does nothing; a writer with it registers no transaction callback at all. */
  WriterHook NOOP =
      new WriterHook() {
        @Override
        public Ending ending(List<EventEnvelope> events, @Nullable Claim claim) {
          return Ending.NOTHING;
        }
      };

  /** What is to be done about a batch when its transaction has ended; just one of the two runs. */
  interface Ending {

    /** Does nothing, and so keeps nothing until then. */
    Ending NOTHING =
        new Ending() {
          @Override
          public void committed() {}

          @Override
          public void rolledBack() {}
        };

    void committed();

    /** The transaction was rolled back, or the savepoint before the batch was. */
    void rolledBack();
  }

  /**
   * This hook and then the other, which sees what this one made of the events. Claims are this
   * one's: a {@link outbox.dispatch.DispatcherWriterHook} comes first.
   */
  default WriterHook andThen(WriterHook next) {
    return HookPair.of(this, Objects.requireNonNull(next, "next must not be null"));
  }

  /** Returns the events to insert instead; null or an empty list suppresses the write. */
  default @Nullable List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
    return events;
  }

  default void afterWrite(List<EventEnvelope> events) {}

  default void afterCommit(List<EventEnvelope> events) {}

  /** Also runs for events that a rollback to a savepoint took back, when the transaction ends. */
  default void afterRollback(List<EventEnvelope> events) {}

  /**
   * The claim under which these events are inserted, so that no other node takes them before this
   * hook's owner has delivered them; null leaves them to whoever polls first. What is given out
   * here comes back by {@link #unclaim} or goes to {@link #ending}.
   */
  default @Nullable Claim claim(List<EventEnvelope> events) {
    return null;
  }

  /** The claim was not used after all. */
  default void unclaim(Claim claim) {}

  /**
   * Asked after the insert, with the claim that the rows carry: all but those that are held back
   * until a later time. By default {@link #afterCommit} and {@link #afterRollback} get the events.
   */
  default Ending ending(List<EventEnvelope> events, @Nullable Claim claim) {
    return new Ending() {
      @Override
      public void committed() {
        WrittenBatch.hiding(events, () -> afterCommit(events));
      }

      @Override
      public void rolledBack() {
        WrittenBatch.hiding(events, () -> afterRollback(events));
      }
    };
  }
}
