package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import outbox.AsyncBatchEventListener;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
import outbox.internal.BatchMarks;
import outbox.internal.SafeLogger;

/** Delivers the next batch of a listener, on the calling worker. */
final class BatchDeliverer {

  private static final Logger LOG = SafeLogger.of(OutboxDispatcher.class);

  private final Gatherings gatherings;
  private final Starter starter;
  private final Caller caller;
  private final Concluder concluder;
  private final AsyncDeliverer asynchronous;
  private final AsyncSlots slots;

  BatchDeliverer(
      Gatherings gatherings,
      Starter starter,
      Caller caller,
      Concluder concluder,
      AsyncDeliverer asynchronous,
      AsyncSlots slots) {
    this.gatherings = gatherings;
    this.starter = starter;
    this.caller = caller;
    this.concluder = concluder;
    this.asynchronous = asynchronous;
    this.slots = slots;
  }

  void deliver(Gathering gathering) {
    if (gathering.listener instanceof AsyncBatchEventListener listener) {
      takeOff(gathering, listener);
    } else {
      deliverHere(gathering);
    }
  }

  private void deliverHere(Gathering gathering) {
    try {
      int most = Math.max(1, mostOf(gathering.listener));
      List<Attempt> batch = starter.start(gatherings.next(gathering, most));
      if (!batch.isEmpty()) {
        deliver(gathering.listener, batch);
      }
    } finally {
      gatherings.ended(gathering);
    }
  }

  private void deliver(BatchEventListener listener, List<Attempt> batch) {
    List<EventEnvelope> events = batch.stream().map(Attempt::envelope).toList();
    BatchMarks marks = new BatchMarks(events);
    marks.end(
        caller.call(
            batch.stream().map(Attempt::delivery).toList(),
            () -> {
              batch.forEach(Attempt::begins);
              try {
                listener.onEvents(events, marks);
              } finally {
                batch.forEach(Attempt::ends);
              }
            }));
    for (Attempt attempt : batch) {
      EventEnvelope event = attempt.envelope();
      concluder.conclude(attempt, DispatchTimeoutException.about(event, marks.failureOf(event)));
    }
  }

  /** The next batch may begin as soon as this one is under way. */
  private void takeOff(Gathering gathering, AsyncBatchEventListener listener) {
    long returned = slots.returned();
    int most = mostOf(listener);
    if (most == 0) {
      slots.hold(listener, gathering, returned);
      return; // lined up again when the listener may take some
    }
    int wanted = Math.min(Math.max(1, most), gatherings.size(gathering));
    int granted = slots.take(listener, wanted, gathering);
    if (granted == 0 && wanted > 0) {
      return; // lined up again when there are slots
    }
    try {
      takeOff(listener, gatherings.next(gathering, granted), granted);
    } finally {
      gatherings.ended(gathering);
    }
  }

  private void takeOff(AsyncBatchEventListener listener, List<Delivery> events, int granted) {
    List<Attempt> batch = starter.start(events);
    if (granted > batch.size()) {
      slots.leave(listener, granted - batch.size());
    }
    if (!batch.isEmpty()) {
      asynchronous.deliver(
          listener, batch, flight -> listener.onEventsAsync(flight.events(), flight.marks()));
    }
  }

  /** One that can't tell shows it by what becomes of its events. */
  static boolean isAway(AsyncBatchEventListener listener) {
    try {
      return listener.isAway();
    } catch (Throwable e) {
      LOG.log(Level.DEBUG, () -> "isAway() failed; it gets its events: " + listener, e);
      return false;
    }
  }

  private static int mostOf(BatchEventListener listener) {
    try {
      return listener.maxBatch();
    } catch (Throwable e) {
      LOG.log(Level.ERROR, "maxBatch() failed; this batch is of one event: " + listener, e);
      return 1;
    }
  }
}
