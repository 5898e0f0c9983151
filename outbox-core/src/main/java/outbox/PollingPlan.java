package outbox;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import outbox.dispatch.DispatcherPollerHandler;
import outbox.dispatch.DispatcherWriterHook;
import outbox.dispatch.OutboxDispatcher;
import outbox.poller.OutboxPoller;
import outbox.spi.OutboxStore;

/** Makes a poller, and the dispatcher that it feeds. */
record PollingPlan(
    OutboxStore store,
    boolean hotPath,
    UnaryOperator<OutboxPoller.Builder> settings,
    Function<OutboxStore, OutboxDispatcher> dispatchers)
    implements Engine.RelayPlan {

  @Override
  public Engine.Relay make(Consumer<AutoCloseable> parts) {
    OutboxDispatcher delivering = dispatchers.apply(store);
    parts.accept(delivering);
    OutboxPoller polling = poller(delivering);
    parts.accept(polling);
    // Others need not hear of events that are delivered here straight from their commit.
    return hotPath
        ? new Engine.Relay(
            delivering,
            new DispatcherWriterHook(delivering),
            event -> !delivering.takes(event),
            polling::start,
            polling::wake)
        : new Engine.Relay(
            delivering,
            new WakingHook(event -> true, polling::wake, polling::wakeAt),
            event -> true,
            polling::start,
            polling::wake);
  }

  private OutboxPoller poller(OutboxDispatcher delivering) {
    return settings
        .apply(
            OutboxPoller.builder()
                .outboxStore(store)
                .handler(new DispatcherPollerHandler(delivering)))
        .build();
  }
}
