package outbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import outbox.OutboxStatus.State;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.OutboxDispatcher;
import outbox.poller.OutboxPoller;
import outbox.purge.OutboxPurgeScheduler;
import outbox.util.Nullable;

/** Starts the parts of an outbox and stops them in the opposite order. */
final class Engine {

  private static final Logger LOG = System.getLogger(Outbox.class.getName());

  private final Plan plan;
  private final SwitchedHook hook;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private @Nullable OutboxDispatcher dispatcher;
  private State state = State.READY;

  /** How to make the parts; those that an outbox doesn't have are null. */
  record Plan(
      @Nullable Supplier<OutboxDispatcher> dispatcher,
      @Nullable PollerPlan poller,
      @Nullable Supplier<OutboxPurgeScheduler> purge,
      boolean hotPath) {}

  /** Makes the poller that feeds a dispatcher. */
  @FunctionalInterface
  interface PollerPlan {
    OutboxPoller pollerFor(OutboxDispatcher dispatcher);
  }

  Engine(Plan plan, SwitchedHook hook) {
    this.plan = plan;
    this.hook = hook;
  }

  synchronized void start() {
    if (state == State.CLOSED) {
      throw new IllegalStateException("outbox is closed; build a new one to start again");
    }
    if (state == State.STARTED) {
      return;
    }
    try {
      startParts();
      state = State.STARTED;
    } catch (RuntimeException | Error e) {
      stopParts();
      throw e;
    }
  }

  synchronized void close() {
    if (state != State.CLOSED) {
      state = State.CLOSED;
      stopParts();
    }
  }

  synchronized OutboxStatus status() {
    return dispatcher == null
        ? new OutboxStatus(state, 0, 0, 0)
        : new OutboxStatus(
            state,
            dispatcher.hotQueueSize(),
            dispatcher.coldQueueSize(),
            dispatcher.inFlightCount());
  }

  private void startParts() {
    if (plan.dispatcher() != null && plan.poller() != null) {
      OutboxDispatcher delivering = plan.dispatcher().get();
      dispatcher = delivering;
      running.push(delivering);
      OutboxPoller polling = plan.poller().pollerFor(delivering);
      running.push(polling);
      if (plan.hotPath()) {
        hook.switchTo(new DispatcherWriterHook(delivering));
      }
      polling.start();
    }
    if (plan.purge() != null) {
      OutboxPurgeScheduler purging = plan.purge().get();
      running.push(purging);
      purging.start();
    }
  }

  private void stopParts() {
    hook.switchTo(WriterHook.NOOP);
    while (!running.isEmpty()) {
      AutoCloseable part = running.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.log(
            Level.ERROR,
            "part of the outbox failed to close; the others are closed all the same: " + part,
            e);
      }
    }
  }
}
