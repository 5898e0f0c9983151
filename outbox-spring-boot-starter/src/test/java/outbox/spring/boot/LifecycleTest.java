package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.AutoConfigureAfter;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.jdbc.core.JdbcTemplate;
import outbox.Outbox;
import outbox.OutboxStatus.State;
import outbox.jdbc.schema.OutboxSchema;
import outbox.model.EventStatus;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class LifecycleTest {

  private static final int PENDING = 10_000;

  @AfterEach
  void everyThreadHasEnded() {
    assertThat(Applications.outboxThreads()).isEmpty();
  }

  /** Counts, and remembers whether something came too early. */
  static class Counter {

    final AtomicInteger delivered = new AtomicInteger();
    final AtomicBoolean ready = new AtomicBoolean();
    final AtomicBoolean tooEarly = new AtomicBoolean();

    @OutboxListener("OrderPlaced")
    void count(Orders.OrderPlaced order) {
      if (!ready.get()) {
        tooEarly.set(true);
      }
      delivered.incrementAndGet();
    }
  }

  /** Takes half of its time while beans are made, and the other half when the context starts. */
  static class Slow implements SmartLifecycle {

    private final Counter counter;
    private final DataSource dataSource;
    private final Duration half;
    private boolean running;

    Slow(Counter counter, DataSource dataSource, Duration half) {
      this.counter = counter;
      this.dataSource = dataSource;
      this.half = half;
      takeTime();
    }

    @Override
    public void start() {
      takeTime();
      counter.ready.set(true);
      running = true;
    }

    @Override
    public void stop() {
      running = false;
    }

    @Override
    public boolean isRunning() {
      return running;
    }

    @Override
    public int getPhase() {
      return DEFAULT_PHASE - 1;
    }

    /** All the while nothing runs that could touch a row: so no time is too long. */
    private void takeTime() {
      await()
          .pollDelay(Duration.ZERO)
          .during(half)
          .atMost(half.plusSeconds(30))
          .until(
              () ->
                  counter.delivered.get() == 0
                      && Applications.outboxThreads().isEmpty()
                      && untouched() == PENDING);
    }

    private int untouched() {
      return Objects.requireNonNull(
          new JdbcTemplate(dataSource)
              .queryForObject(
                  "SELECT COUNT(*) FROM outbox_event WHERE status = 0 AND attempts = 0 AND"
                      + " locked_by IS NULL",
                  Integer.class));
    }
  }

  /** Ten seconds in all where the database is a real one. */
  @ParameterizedTest
  @CsvSource({"H2, PT0.5S", "PostgreSQL, PT5S"})
  void aLongStartKillsNoPendingEvent(String name, Duration half) throws Exception {
    try (Database database = (name.equals("H2") ? Databases.h2() : Databases.postgres()).fresh()) {
      DataSource dataSource = database.pooled();
      OutboxSchema.detect(dataSource).unordered().apply(dataSource);
      Applications.insert(dataSource, "OrderPlaced", PENDING);

      Applications.on(database)
          .withBean(Counter.class)
          .withBean(Duration.class, () -> half)
          .withBean(Slow.class)
          .withPropertyValues("outbox.relay.poll-interval=10ms")
          .run(
              context -> {
                Counter counter = context.getBean(Counter.class);
                Applications.until(() -> counter.delivered.get() >= PENDING);
                Applications.until(
                    () -> Applications.count(dataSource, EventStatus.DONE) == PENDING);
                assertThat(counter.tooEarly).isFalse();
                assertThat(counter.delivered).hasValue(PENDING);
                assertThat(Applications.count(dataSource, EventStatus.DEAD)).isZero();
              });
    }
  }

  /** Needs the DataSource for as long as it delivers. */
  static class Working implements DisposableBean {

    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch stopping = new CountDownLatch(1);
    final List<String> story = new CopyOnWriteArrayList<>();
    private final JdbcTemplate jdbc;

    Working(DataSource dataSource) {
      jdbc = new JdbcTemplate(dataSource);
    }

    @OutboxListener("OrderPlaced")
    void work() throws InterruptedException {
      begun.countDown();
      stopping.await();
      jdbc.queryForObject("SELECT COUNT(*) FROM outbox_event", Integer.class);
      story.add("delivered");
    }

    @Override
    public void destroy() {
      story.add("destroyed");
    }
  }

  @Test
  void deliveryEndsBeforeListenersAndDataSourceDo() {
    Working[] working = new Working[1];
    Applications.empty().withBean(Working.class).run(context -> working[0] = begun(context));

    assertThat(working[0].story).containsExactly("delivered", "destroyed");
  }

  private static Working begun(ApplicationContext context) throws InterruptedException {
    Working working = context.getBean(Working.class);
    Applications.write(context, "OrderPlaced", "{}");
    working.begun.await();
    releaseWhenStopping(working, context.getBean(Outbox.class));
    return working;
  }

  /** Lets the listener go on once delivery, or what it must not outlive, has begun to end. */
  private static void releaseWhenStopping(Working working, Outbox outbox) {
    new Thread(
            () -> {
              Applications.until(
                  () -> outbox.status().state() != State.STARTED || !working.story.isEmpty());
              working.stopping.countDown();
            })
        .start();
  }

  /** What a listener may need: in the phase that a bean has which doesn't choose. */
  static class Client implements SmartLifecycle {

    final Working working;
    private boolean running;

    Client(Working working) {
      this.working = working;
    }

    @Override
    public void start() {
      assertThat(Applications.outboxThreads()).isEmpty();
      running = true;
    }

    @Override
    public void stop() {
      working.story.add("client stopped");
      running = false;
    }

    @Override
    public boolean isRunning() {
      return running;
    }
  }

  /** As executors do. */
  static class ClosingClient extends Client implements ApplicationListener<ContextClosedEvent> {

    ClosingClient(Working working) {
      super(working);
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
      working.story.add("client closed");
    }
  }

  @Test
  void deliveryEndsBeforeWhatListenersNeedInWhateverPhase() {
    Working[] working = new Working[1];
    Applications.empty()
        .withBean(Working.class)
        .withBean(ClosingClient.class)
        .run(context -> working[0] = begun(context));

    assertThat(working[0].story)
        .containsExactly("delivered", "client closed", "client stopped", "destroyed");
  }

  @Test
  void deliveryEndsFirstWhereTheContextIsOnlyStopped() {
    Applications.empty()
        .withBean(Working.class)
        .withBean(Client.class)
        .run(
            context -> {
              Working working = begun(context);

              context.getSourceApplicationContext().stop();

              assertThat(working.story).containsExactly("delivered", "client stopped");
            });
  }

  @Configuration(proxyBeanMethods = false)
  @AutoConfigureAfter(OutboxAutoConfiguration.class)
  static class LateClient {

    @Bean
    Client client(Working working) {
      return new Client(working);
    }
  }

  /** It says itself if it isn't. */
  @Test
  void whatIsDefinedAfterTheOutboxIsStartedBeforeIt() {
    Applications.empty()
        .withBean(Working.class)
        .withConfiguration(AutoConfigurations.of(LateClient.class))
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void aContextThatWasStoppedCanBeStartedAgain() {
    Applications.listening()
        .withPropertyValues("outbox.relay.poll-interval=1h") // the second event comes straight
        .run(
            context -> {
              ConfigurableApplicationContext stoppable = context.getSourceApplicationContext();
              stoppable.stop();
              assertThat(Applications.outboxThreads()).isEmpty();
              Applications.write(context, "OrderPlaced", "{\"orderId\":1}");

              stoppable.start();
              Applications.write(context, "OrderPlaced", "{\"orderId\":2}");

              List<Integer> placed = context.getBean(Orders.class).placed;
              Applications.until(() -> placed.size() == 2);
              assertThat(placed).containsExactlyInAnyOrder(1, 2);
              assertThat(context.getBean(Outbox.class).status().state()).isEqualTo(State.STARTED);
            });
  }

  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class FailsInTheEnd {

    @Bean
    Orders orders() {
      return new Orders();
    }

    @Bean
    ApplicationRunner failing() {
      return arguments -> {
        assertThat(Applications.outboxThreads()).isNotEmpty();
        throw new IllegalStateException("too late");
      };
    }
  }

  @Test
  void anApplicationThatFailsInTheEndLeavesNoThreads() {
    assertThatThrownBy(
            () ->
                SpringApplication.run(
                    FailsInTheEnd.class,
                    "--spring.datasource.url=jdbc:h2:mem:fails",
                    "--spring.main.web-application-type=none"))
        .hasStackTraceContaining("too late");
  }

  static class FailsToStart implements SmartLifecycle {

    @Override
    public void start() {
      assertThat(Applications.outboxThreads()).isNotEmpty();
      throw new IllegalStateException("does not start");
    }

    @Override
    public void stop() {}

    @Override
    public boolean isRunning() {
      return false;
    }
  }

  @Test
  void aContextWhoseOtherBeansFailToStartLeavesNoThreads() {
    Applications.listening()
        .withBean(
            FailsToStart.class,
            FailsToStart::new,
            definition -> definition.setDependsOn("outboxLifecycle"))
        .withPropertyValues("outbox.table=a_outbox", "outbox.relay.tables=a_outbox,b_outbox")
        .run(context -> assertThat(context).getFailure().hasStackTraceContaining("does not start"));
  }
}
