package outbox.samples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OutboxConfigurationTest {

  @Autowired private ConfigurableListableBeanFactory beans;

  @Test
  void springClosesThePollerThenTheDispatcherThenTheDataSource() {
    assertThat(beans.getDependentBeans("outboxDispatcher")).contains("outboxPoller");
    assertThat(beans.getDependentBeans("connectionProvider"))
        .contains("outboxDispatcher", "outboxPoller", "outboxPurgeScheduler");
    assertThat(beans.getDependentBeans("dataSource")).contains("connectionProvider");
  }
}
