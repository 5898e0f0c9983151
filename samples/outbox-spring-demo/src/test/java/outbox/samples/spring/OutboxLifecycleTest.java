package outbox.samples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

class OutboxLifecycleTest {

  @Test
  void closingTheApplicationEndsEveryThreadOfTheOutbox() {
    Set<Thread> others = outboxThreads();
    ConfigurableApplicationContext application = start();
    Set<Thread> threads = outboxThreads();
    threads.removeAll(others);
    assertThat(threads)
        .extracting(Thread::getName)
        .contains("outbox-poller-1", "outbox-purger-1", "outbox-worker-1");

    application.close();

    assertThat(threads).noneMatch(Thread::isAlive);
  }

  private static ConfigurableApplicationContext start() {
    return SpringApplication.run(
        SpringDemoApplication.class,
        "--server.port=0",
        "--spring.datasource.url=jdbc:h2:mem:lifecycle");
  }

  private static Set<Thread> outboxThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("outbox-"))
        .collect(Collectors.toSet());
  }
}
