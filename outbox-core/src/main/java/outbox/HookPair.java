package outbox;

import java.util.List;
import outbox.spi.Claim;
import outbox.util.Nullable;

/**
 * Two hooks as one: each sees what the one before made of the events, and the first claims them.
 */
final class HookPair implements WriterHook {

  private final WriterHook first;
  private final WriterHook second;

  private HookPair(WriterHook first, WriterHook second) {
    this.first = first;
    this.second = second;
  }

  /** The first alone if the second does nothing, so that no write pays for it. */
  static WriterHook of(WriterHook first, WriterHook second) {
    return second == WriterHook.NOOP ? first : new HookPair(first, second);
  }

  @Override
  public @Nullable List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
    List<EventEnvelope> changed = first.beforeWrite(events);
    return changed == null || changed.isEmpty()
        ? List.of()
        : second.beforeWrite(List.copyOf(changed));
  }

  @Override
  public @Nullable Claim claim(List<EventEnvelope> events) {
    return first.claim(events);
  }

  @Override
  public void afterWrite(List<EventEnvelope> events) {
    try {
      first.afterWrite(events);
    } finally {
      second.afterWrite(events);
    }
  }

  @Override
  public void unclaim(Claim claim) {
    first.unclaim(claim);
  }

  /** Whoever was told of a write is told of its end. */
  @Override
  public Ending ending(List<EventEnvelope> events, @Nullable Claim claim) {
    Ending firsts = first.ending(events, claim);
    Ending seconds = WrittenBatch.of(events).ask("ending", () -> second.ending(events, claim));
    if (seconds == null) {
      return firsts;
    }
    return new Ending() {
      @Override
      public void committed() {
        try {
          firsts.committed();
        } finally {
          seconds.committed();
        }
      }

      @Override
      public void rolledBack() {
        try {
          firsts.rolledBack();
        } finally {
          seconds.rolledBack();
        }
      }
    };
  }
}
