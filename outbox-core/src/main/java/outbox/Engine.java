package outbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import outbox.OutboxStatus.State;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.OutboxDispatcher;
import outbox.poller.OutboxPoller;
import outbox.purge.OutboxPurgeScheduler;
import outbox.spi.Notifications;
import outbox.util.Nullable;

/** Starts the parts of an outbox and stops them in the opposite order. */
final class Engine {

  private static final Logger LOG = System.getLogger(Outbox.class.getName());

  private final Plan plan;
  private final AtomicReference<WriterHook> hook;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private volatile @Nullable OutboxDispatcher dispatcher;
  private volatile State state = State.READY;

  /** How to make the parts; those that an outbox doesn't have are null. */
  record Plan(
      @Nullable Supplier<OutboxDispatcher> dispatcher,
      @Nullable PollerPlan poller,
      @Nullable Supplier<OutboxPurgeScheduler> purge,
      @Nullable Notifications notifications,
      boolean hotPath) {}

  /** Makes the poller that feeds a dispatcher. */
  @FunctionalInterface
  interface PollerPlan {
    OutboxPoller pollerFor(OutboxDispatcher dispatcher);
  }

  Engine(Plan plan, AtomicReference<WriterHook> hook) {
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

  /** Doesn't wait for a close under way. */
  OutboxStatus status() {
    OutboxDispatcher delivering = dispatcher;
    return delivering == null
        ? new OutboxStatus(state, 0, 0, 0)
        : new OutboxStatus(
            state,
            delivering.hotQueueSize(),
            delivering.coldQueueSize(),
            delivering.inFlightCount());
  }

  private void startParts() {
    if (plan.dispatcher() == null || plan.poller() == null) {
      hook.set(notifying(event -> true));
    } else {
      startRelay(plan.dispatcher(), plan.poller());
    }
    if (plan.purge() != null) {
      started(plan.purge().get()).start();
    }
  }

  private void startRelay(Supplier<OutboxDispatcher> dispatcherPlan, PollerPlan pollerPlan) {
    OutboxDispatcher delivering = started(dispatcherPlan.get());
    dispatcher = delivering;
    OutboxPoller polling = started(pollerPlan.pollerFor(delivering));
    hook.set(plan.hotPath() ? hot(delivering) : cold(polling));
    polling.start();
    if (plan.notifications() != null) {
      started(plan.notifications().subscribe(polling::wake));
    }
  }

  /** Others need not hear of events that are delivered here straight from their commit. */
  private WriterHook hot(OutboxDispatcher delivering) {
    WriterHook here = new DispatcherWriterHook(delivering);
    return new HookPair(() -> here, notifying(event -> !delivering.takes(event)));
  }

  private WriterHook cold(OutboxPoller polling) {
    WriterHook here = new WakingHook(event -> true, polling::wake, polling::wakeAt);
    return new HookPair(() -> here, notifying(event -> true));
  }

  private WriterHook notifying(Predicate<EventEnvelope> others) {
    return plan.notifications() == null
        ? WriterHook.NOOP
        : new WakingHook(others, started(plan.notifications().sender())::send, due -> {});
  }

  private <T extends AutoCloseable> T started(T part) {
    running.push(part);
    return part;
  }

  private void stopParts() {
    hook.set(WriterHook.NOOP);
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
