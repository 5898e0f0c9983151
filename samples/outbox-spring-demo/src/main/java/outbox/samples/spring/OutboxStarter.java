package outbox.samples.spring;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import outbox.poller.OutboxPoller;
import outbox.purge.OutboxPurgeScheduler;

/**
 * Starts polling once the application is ready, and not earlier: an event whose listener isn't
 * registered yet would be DEAD.
 */
@Component
class OutboxStarter {

  private final OutboxPoller poller;
  private final OutboxPurgeScheduler purgeScheduler;

  OutboxStarter(OutboxPoller poller, OutboxPurgeScheduler purgeScheduler) {
    this.poller = poller;
    this.purgeScheduler = purgeScheduler;
  }

  // docs:begin start
  @EventListener(ApplicationReadyEvent.class)
  void start() {
    poller.start();
    purgeScheduler.start();
  }
  // docs:end start
}
