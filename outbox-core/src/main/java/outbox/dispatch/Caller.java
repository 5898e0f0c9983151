package outbox.dispatch;

import java.util.List;
import outbox.EventEnvelope;
import outbox.util.Nullable;

/** Runs a listener on the calling thread, for no longer than the dispatch timeout. */
final class Caller {

  private final Interceptors interceptors;
  private final @Nullable Watchdog watchdog;

  Caller(Interceptors interceptors, @Nullable Watchdog watchdog) {
    this.interceptors = interceptors;
    this.watchdog = watchdog;
  }

  /** The part of a try that is the listener's. */
  @FunctionalInterface
  interface Call {
    void run() throws Exception;
  }

  /** Returns what went wrong, an Error included; null if the call returned in time. */
  @Nullable
  Throwable call(List<Delivery> deliveries, Call call) {
    List<EventEnvelope> events = deliveries.stream().map(Delivery::envelope).toList();
    return interceptors.surround(
        events, () -> watchdog == null ? run(call) : callWatched(watchdog, deliveries, call));
  }

  private static @Nullable Throwable callWatched(
      Watchdog watchdog, List<Delivery> deliveries, Call call) {
    ThreadWatch watch = watchdog.watchThread(deliveries);
    Throwable failure = run(call);
    watchdog.forget(watch);
    return watch.over()
        ? new DispatchTimeoutException(deliveries.get(0).envelope(), watchdog.timeout(), failure)
        : failure;
  }

  private static @Nullable Throwable run(Call call) {
    try {
      call.run();
      return null;
    } catch (Throwable e) {
      return e;
    }
  }
}
