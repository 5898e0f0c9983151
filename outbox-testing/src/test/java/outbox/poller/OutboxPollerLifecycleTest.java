package outbox.poller;

import outbox.testing.InMemoryOutboxStore;
import outbox.testing.LifecycleContract;

class OutboxPollerLifecycleTest extends LifecycleContract {

  @Override
  protected Service service() {
    InMemoryOutboxStore store = new InMemoryOutboxStore();
    OutboxPoller poller =
        OutboxPoller.builder()
            .connectionProvider(store.connections())
            .outboxStore(store)
            .handler((event, attempts) -> true)
            .build();
    return Service.of(poller::start, poller::close);
  }
}
