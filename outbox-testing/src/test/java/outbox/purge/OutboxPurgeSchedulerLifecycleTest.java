package outbox.purge;

import outbox.testing.InMemoryOutboxStore;
import outbox.testing.LifecycleContract;

class OutboxPurgeSchedulerLifecycleTest extends LifecycleContract {

  @Override
  protected Service service() {
    InMemoryOutboxStore store = new InMemoryOutboxStore();
    OutboxPurgeScheduler scheduler =
        OutboxPurgeScheduler.builder()
            .connectionProvider(store.connections())
            .purger(store.purger())
            .build();
    return Service.of(scheduler::start, scheduler::close);
  }
}
