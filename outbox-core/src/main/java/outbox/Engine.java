package outbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import outbox.OutboxStatus.State;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.SafeLogger;
import outbox.purge.OutboxPurgeScheduler;
import outbox.spi.Notifications;
import outbox.util.Nullable;

/** Starts the parts of an outbox and stops them in the opposite order. */
final class Engine {

  private static final Logger LOG = SafeLogger.of(Outbox.class);

  private final Plan plan;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private volatile @Nullable OutboxDispatcher dispatcher;
  private volatile WriterHook hook = WriterHook.NOOP;
  private volatile State state = State.READY;

  /** How to make the parts; those that an outbox doesn't have are null. */
  record Plan(
      @Nullable RelayPlan relay,
      @Nullable Supplier<OutboxPurgeScheduler> purge,
      @Nullable Notifications notifications) {}

  /** Makes what delivers; every part is closed in the end, the last one first. */
  @FunctionalInterface
  interface RelayPlan {
    Relay make(Consumer<AutoCloseable> parts);
  }

  /**
   * What delivers.
   *
   * @param hook what writers tell it by
   * @param others which events other processes have to hear of
   * @param start lets it begin, after writers know the hook
   * @param wake has it look for events
   */
  record Relay(
      OutboxDispatcher dispatcher,
      WriterHook hook,
      Predicate<EventEnvelope> others,
      Runnable start,
      Runnable wake) {}

  Engine(Plan plan) {
    this.plan = plan;
  }

  /** What writes tell of that begin now. */
  WriterHook hook() {
    return hook;
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

  /** Every part is made anew by the next start. */
  synchronized void stop() {
    if (state == State.STARTED) {
      state = State.READY;
      stopParts();
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
    if (plan.relay() == null) {
      hook = notifying(event -> true);
    } else {
      start(plan.relay().make(this::started));
    }
    if (plan.purge() != null) {
      started(plan.purge().get()).start();
    }
  }

  private void start(Relay relay) {
    dispatcher = relay.dispatcher();
    hook = HookPair.of(relay.hook(), notifying(relay.others()));
    relay.start().run();
    if (plan.notifications() != null) {
      started(plan.notifications().subscribe(relay.wake()));
    }
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

  /** A write under way keeps the hook it began with; what begins now is left to whoever polls. */
  private void stopParts() {
    hook = WriterHook.NOOP;
    while (!running.isEmpty()) {
      AutoCloseable part = running.pop();
      try {
        part.close();
      } catch (Throwable e) {
        LOG.log(
            Level.ERROR,
            "part of the outbox failed to close; the others are closed all the same: " + part,
            e);
      }
    }
  }
}
