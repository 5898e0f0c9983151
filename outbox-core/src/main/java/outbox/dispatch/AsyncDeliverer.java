package outbox.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import outbox.EventListener;
import outbox.OutboxException;
import outbox.internal.Stages;
import outbox.util.Nullable;

/** Starts what ends with a stage, and ends it with that, with the timeout, or at close. */
final class AsyncDeliverer {

  private final Caller caller;
  private final @Nullable Watchdog watchdog;
  private final Concluder concluder;
  private final AsyncSlots slots;
  private final Set<Flight> flights = ConcurrentHashMap.newKeySet();

  AsyncDeliverer(
      Caller caller, @Nullable Watchdog watchdog, Concluder concluder, AsyncSlots slots) {
    this.caller = caller;
    this.watchdog = watchdog;
    this.concluder = concluder;
    this.slots = slots;
  }

  /** The part of a listener that starts a stage. */
  @FunctionalInterface
  interface Start {
    CompletionStage<?> run(Flight flight) throws Exception;
  }

  private interface Conclusion {
    void accept(Attempt attempt, @Nullable Throwable failure);
  }

  /** Takes over the attempts and a slot of the listener for each of them. */
  void deliver(EventListener listener, List<Attempt> attempts, Start start) {
    Flight flight = new Flight(listener, attempts);
    List<Delivery> deliveries = attempts.stream().map(Attempt::delivery).toList();
    Throwable failure =
        caller.call(
            deliveries,
            () -> {
              attempts.forEach(Attempt::begins);
              flight.follows(Stages.required(start.run(flight)));
            });
    flights.add(flight);
    if (failure == null) {
      follow(flight);
    } else {
      land(flight, failure, concluder::conclude);
      flight.cancel(); // it may have started all the same, but too late
    }
  }

  /** Asks everything to stop that is under way. */
  void cancelAll() {
    flights.forEach(Flight::cancel);
  }

  /** Gives up what is under way; whatever becomes of it now is not ours any more. */
  void giveUpAll() {
    for (Flight flight : flights) {
      land(
          flight,
          new OutboxException("dispatcher was closed before the listener's stage completed", null),
          concluder::concludeAtOnce);
    }
  }

  private void follow(Flight flight) {
    if (watchdog != null) {
      flight.watchedBy(watchdog.watch(() -> tooLate(flight, watchdog)));
    }
    try {
      flight
          .stage()
          .whenComplete(
              (result, failure) ->
                  landElsewhere(flight, failure == null ? null : Stages.unwrapped(failure)));
    } catch (Throwable e) { // a stage may be anybody's class
      land(flight, e, concluder::conclude);
    }
  }

  private void tooLate(Flight flight, Watchdog watchdog) {
    landElsewhere(
        flight, new DispatchTimeoutException(flight.events().get(0), watchdog.timeout(), null));
    flight.cancel();
  }

  private void landElsewhere(Flight flight, @Nullable Throwable failure) {
    land(flight, failure, concluder::concludeAtOnce);
  }

  private void land(Flight flight, @Nullable Throwable failure, Conclusion conclusion) {
    if (!flight.land()) {
      return;
    }
    flights.remove(flight);
    Watch watch = flight.watch();
    if (watchdog != null && watch != null) {
      watchdog.forget(watch);
    }
    flight.attempts().forEach(Attempt::ends);
    flight.marks().end(failure);
    flight.attempts().forEach(attempt -> conclusion.accept(attempt, flight.failureOf(attempt)));
    giveBack(flight, failure);
  }

  private void giveBack(Flight flight, @Nullable Throwable failure) {
    int events = flight.attempts().size();
    Duration took = flight.attempts().get(0).listenerTime();
    if (took == null || failure instanceof DispatchTimeoutException) {
      slots.giveBack(flight.listener(), events);
    } else {
      slots.answered(flight.listener(), events, took);
    }
  }
}
