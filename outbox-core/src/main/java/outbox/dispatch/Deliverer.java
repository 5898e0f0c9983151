package outbox.dispatch;

import java.util.ArrayList;
import java.util.List;
import outbox.AsyncBatchEventListener;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.EventListener;
import outbox.util.Nullable;

/** Hands events to their listeners, each kind in its way: one by one, in batches, or by stages. */
final class Deliverer {

  private final Completer completer;
  private final Router router;
  private final @Nullable Watchdog watchdog;
  private final Caller caller;
  private final Concluder concluder;
  private final Suspects suspects;
  private final Starter starter;
  private final Gatherings gatherings;
  private final AsyncSlots slots;
  private final Deferrer deferrer;
  private final AsyncDeliverer asynchronous;
  private final BatchDeliverer batches;

  Deliverer(
      DispatcherSettings settings,
      Judge judge,
      FairQueue queue,
      Completer completer,
      DispatchReport report,
      Intake intake) {
    this.completer = completer;
    router = new Router(settings.listenerRegistry());
    watchdog = Watchdog.of(settings.dispatchTimeout());
    Interceptors interceptors = new Interceptors(settings.interceptors(), settings.failureText());
    caller = new Caller(interceptors, watchdog);
    concluder = new Concluder(interceptors, judge, completer, report);
    suspects = new Suspects(queue);
    starter = new Starter(judge, completer, report, interceptors, concluder, suspects);
    gatherings = new Gatherings(queue);
    slots = new AsyncSlots(queue, settings.asyncInFlight(), System::nanoTime);
    deferrer =
        new Deferrer(slots, gatherings, intake::isCrowdedFor, concluder::putOff, System::nanoTime);
    if (!settings.outboxStore().settlesExactly()) {
      deferrer.end();
    }
    asynchronous = new AsyncDeliverer(caller, watchdog, concluder, slots);
    batches = new BatchDeliverer(gatherings, starter, caller, concluder, asynchronous, slots);
  }

  void start() {
    if (watchdog != null) {
      watchdog.start();
    }
    deferrer.start();
  }

  void handle(Work work) {
    if (work instanceof Delivery delivery) {
      handle(delivery);
    } else if (work instanceof Passenger passenger) {
      takeOff(passenger);
    } else {
      completer.awaitRoom();
      batches.deliver((Gathering) work);
    }
  }

  /** Handling this failed where nothing should. */
  void forgo(Work work) {
    slots.forgo(work);
  }

  /** For now and then: nothing waits for ever because something else doesn't end. */
  void look() {
    suspects.look();
  }

  /** Whether the listener would put off what came now, or hangs with as many as it may have. */
  boolean isHeldUp(EventListener listener) {
    return (listener instanceof AsyncBatchEventListener batch && BatchDeliverer.isAway(batch))
        || slots.isStuck(listener, Deferrer.MOMENT);
  }

  /** From now on what waits stays until it is delivered or close gives it back. */
  void deferNoMore() {
    deferrer.end();
  }

  /** Waits until every stage has ended, or until the deadline. */
  void awaitStages(long deadlineNanos) {
    slots.awaitIdle(deadlineNanos);
  }

  /** From now on failures are close's and don't count; returns what had to wait here. */
  List<Delivery> stop() {
    concluder.force();
    deferrer.close();
    List<Delivery> waiting = new ArrayList<>(slots.drain());
    waiting.addAll(gatherings.drain());
    waiting.addAll(suspects.drain());
    return waiting;
  }

  void cancelStages() {
    asynchronous.cancelAll();
  }

  /** Ends everything that is not over by now; returns what is to be given back. */
  List<Delivery> giveUp() {
    asynchronous.giveUpAll();
    if (watchdog != null) {
      watchdog.close();
    }
    return concluder.takeUndelivered();
  }

  private void handle(Delivery delivery) {
    EventListener listener = router.listenerFor(delivery.envelope());
    if (listener instanceof BatchEventListener batch) {
      if (!gatherings.add(batch, delivery)) {
        concluder.giveUp(delivery);
      }
    } else if (listener instanceof AsyncEventListener async) {
      takeOff(new Passenger(delivery, async));
    } else {
      deliver(delivery, listener);
    }
  }

  private void deliver(Delivery delivery, EventListener listener) {
    Attempt attempt = starter.start(delivery);
    if (attempt != null) {
      concluder.conclude(attempt, caller.call(List.of(delivery), () -> call(listener, attempt)));
    }
  }

  private static void call(EventListener listener, Attempt attempt) throws Exception {
    attempt.begins();
    try {
      listener.onEvent(attempt.envelope());
    } finally {
      attempt.ends();
    }
  }

  private void takeOff(Passenger passenger) {
    completer.awaitRoom();
    Delivery delivery = passenger.delivery();
    AsyncEventListener listener = passenger.listener();
    int granted = slots.take(listener, 1, passenger);
    if (granted < 0) {
      concluder.giveUp(delivery);
    } else if (granted > 0) {
      Attempt attempt = starter.start(delivery);
      if (attempt == null) {
        slots.leave(listener, 1);
      } else {
        asynchronous.deliver(
            listener, List.of(attempt), flight -> listener.onEventAsync(delivery.envelope()));
      }
    }
  }
}
