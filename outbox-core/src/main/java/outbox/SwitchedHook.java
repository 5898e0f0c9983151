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
  public void afterCommit(List<EventEnvelope> events, @Nullable Claim claim) {
    try {
      engines.afterCommit(events, claim);
    } finally {
      users.afterCommit(events, claim);
    }
  }

  @Override
  public void afterRollback(List<EventEnvelope> events) {
    try {
      engines.afterRollback(events);
    } finally {
      users.afterRollback(events);
    }
  }
}
