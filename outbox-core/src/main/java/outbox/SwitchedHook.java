package outbox;

import java.util.List;
import outbox.spi.Claim;
import outbox.util.Nullable;

/** The user's hook, and behind it the engine's, for as long as the engine runs. */
final class SwitchedHook implements WriterHook {

  private final WriterHook users;
  private volatile WriterHook engines = NOOP;

  SwitchedHook(WriterHook users) {
    this.users = users;
  }

  void switchTo(WriterHook hook) {
    engines = hook;
  }

  @Override
  public @Nullable List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
    return users.beforeWrite(events);
  }

  @Override
  public @Nullable Claim claim(int events) {
    return engines.claim(events);
  }

  @Override
  public void afterWrite(List<EventEnvelope> events) {
    try {
      engines.afterWrite(events);
    } finally {
      users.afterWrite(events);
    }
  }

  @Override
  public void unclaim(Claim claim) {
    engines.unclaim(claim);
  }

  /** What the engine was told of at the write it is told the end of, whatever is switched since. */
  @Override
  public Ending ending(List<EventEnvelope> events, @Nullable Claim claim) {
    Ending first = engines.ending(events, claim);
    Ending second = users.ending(events, claim);
    return new Ending() {
      @Override
      public void committed() {
        try {
          first.committed();
        } finally {
          second.committed();
        }
      }

      @Override
      public void rolledBack() {
        try {
          first.rolledBack();
        } finally {
          second.rolledBack();
        }
      }
    };
  }
}
