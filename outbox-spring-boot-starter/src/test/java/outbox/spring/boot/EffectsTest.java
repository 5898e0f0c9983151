package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxWriter;
import outbox.WriterHook;
import outbox.dead.DeadEventManager;
import outbox.dispatch.ErrorRedactor;
import outbox.dispatch.EventInterceptor;
import outbox.dispatch.RetryPolicy;
import outbox.model.EventStatus;
import outbox.spi.EventArchiver;
import outbox.spi.EventPurger;
import outbox.spi.MetricsExporter;
import outbox.spi.Notifications;

/** Properties beyond those of the environment, and beans that take part, do what they are for. */
class EffectsTest {

  static class Threads {

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @OutboxListener("OrderPlaced")
    void ship() {
      seen.add(Thread.currentThread().toString());
    }
  }

  /** Java has them from 21 on; before, the property asks for nothing. */
  @Test
  void listenersRunOnVirtualThreadsWhereTheApplicationWantsThemAndJavaHasThem() {
    String thread = threadOfListener("spring.threads.virtual.enabled=true");

    assertThat(thread).contains("outbox-worker-");
    assertThat(thread.startsWith("VirtualThread")).isEqualTo(Runtime.version().feature() >= 21);
  }

  @Test
  void listenersRunOnThreadsOfThePlatformOtherwise() {
    assertThat(threadOfListener("spring.threads.virtual.enabled=false"))
        .doesNotStartWith("VirtualThread")
        .contains("outbox-worker-");
  }

  private static String threadOfListener(String property) {
    AtomicReference<String> thread = new AtomicReference<>();
    Applications.empty()
        .withBean(Threads.class)
        .withPropertyValues(property)
        .run(
            context -> {
              Applications.write(context, "OrderPlaced", "{}");

              List<String> seen = context.getBean(Threads.class).seen;
              Applications.until(() -> !seen.isEmpty());
              thread.set(seen.get(0));
            });
    return thread.get();
  }

  @ParameterizedTest
  @CsvSource({"true, 21, true", "true, 17, false", "false, 21, false", ", 21, false"})
  void virtualThreadsAreWantedByThePropertyAndFromJava21On(
      String property, int java, boolean wanted) {
    StandardEnvironment environment = new StandardEnvironment();
    if (property != null) {
      environment
          .getPropertySources()
          .addFirst(
              new MapPropertySource("test", Map.of("spring.threads.virtual.enabled", property)));
    }

    assertThat(DispatcherSetup.wantsVirtualThreads(environment, java)).isEqualTo(wanted);
  }

  @Test
  void propertiesOfDeliveryReachTheDispatcher() {
    try (LogLines log = new LogLines()) {
      Applications.listening()
          .withPropertyValues(
              "outbox.relay.workers=2",
              "outbox.relay.drain-timeout=1s",
              "outbox.relay.completion=delete",
              "outbox.relay.unroutable=leave",
              "outbox.node-id=node-7")
          .run(
              context -> {
                String id = Applications.write(context, "Unknown", "{}");
                Applications.write(context, "OrderPlaced", "{\"orderId\":1}");

                assertThat(log.line("dispatcher started"))
                    .contains(
                        "workers=2", "drainTimeout=PT1S", "completion=DELETE", "unroutable=LEAVE");
                assertThat(log.line("poller started")).contains("claims=node-7");
                DataSource dataSource = context.getBean(DataSource.class);
                Applications.until(
                    () ->
                        Applications.count(dataSource, EventStatus.NEW) == 1
                            && !context.getBean(Orders.class).placed.isEmpty());
                assertThat(Applications.count(dataSource, EventStatus.DEAD)).isZero();
                assertThat(context.getBean(DeadEventManager.class).find(id)).isPresent();
              });
    }
  }

  @Test
  void propertiesOfOrderReachTheRelay() {
    try (LogLines log = new LogLines()) {
      Applications.listening()
          .withPropertyValues(
              "outbox.mode=ordered",
              "outbox.ordered.partitions=8",
              "outbox.ordered.on-dead=skip",
              "outbox.ordered.name=mine",
              "outbox.relay.poll-interval=2s",
              "outbox.relay.batch-size=99",
              "outbox.relay.lock-ttl=20s",
              "outbox.node-id=node-7")
          .run(
              context ->
                  assertThat(log.line("ordered relay started"))
                      .contains(
                          "partitions=8",
                          "onDead=SKIP",
                          "relay=mine",
                          "interval=PT2S",
                          "batchSize=99",
                          "lease=PT20S",
                          "node=node-7"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void hotEventsAreClaimedWhenTheyAreWritten(boolean hotPath) {
    Applications.listening()
        .withPropertyValues("outbox.relay.hot-path=" + hotPath)
        .run(
            context -> {
              JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
              Integer claimed =
                  new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                      .execute(
                          status -> {
                            context.getBean(OutboxWriter.class).write("OrderPlaced", "{}");
                            return jdbc.queryForObject(
                                "SELECT COUNT(locked_by) FROM outbox_event", Integer.class);
                          });

              assertThat(claimed).isEqualTo(hotPath ? 1 : 0);
            });
  }

  @Test
  void whatEndedIsArchivedAndDeleted() {
    Set<String> archived = ConcurrentHashMap.newKeySet();
    Applications.listening()
        .withPropertyValues("outbox.cleaner.retention=0s", "outbox.cleaner.interval=1s")
        .withBean(
            EventArchiver.class,
            () -> events -> events.forEach(event -> archived.add(event.event().eventId())))
        .run(
            context -> {
              String id = Applications.write(context, "OrderPlaced", "{\"orderId\":1}");

              DeadEventManager events = context.getBean(DeadEventManager.class);
              Applications.until(() -> events.find(id).isEmpty());
              assertThat(archived).containsExactly(id);
            });
  }

  /** Remembers by name who was asked. */
  static class Asked {
    final Set<String> names = ConcurrentHashMap.newKeySet();
  }

  static class FailingOnce {

    private final AtomicBoolean hasFailed = new AtomicBoolean();

    @OutboxListener("OrderPlaced")
    void listen() {
      if (hasFailed.compareAndSet(false, true)) {
        throw new IllegalStateException("once");
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Extras {

    @Bean
    Asked asked() {
      return new Asked();
    }

    @Bean
    RetryPolicy retryPolicy(Asked asked) {
      return attempts -> {
        asked.names.add("retry policy");
        return 1;
      };
    }

    @Bean
    ErrorRedactor errorRedactor(Asked asked) {
      return (event, failure) -> {
        asked.names.add("redactor");
        return "hidden";
      };
    }

    @Bean
    EventInterceptor interceptor(Asked asked) {
      return EventInterceptor.before(event -> asked.names.add("interceptor"));
    }

    @Bean
    OutboxDispatcherCustomizer customizer(Asked asked) {
      return builder ->
          builder.interceptor(
              EventInterceptor.after((event, error) -> asked.names.add("customizer")));
    }

    @Bean
    WriterHook writerHook(Asked asked) {
      return new WriterHook() {
        @Override
        public List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
          asked.names.add("writer hook");
          return events;
        }
      };
    }

    @Bean
    EventPurger purger(Asked asked) {
      return (connection, before, limit) -> {
        asked.names.add("purger");
        return 0;
      };
    }

    @Bean
    MetricsExporter metrics(Asked asked) {
      return recording(MetricsExporter.class, "metrics", asked);
    }

    @Bean
    Notifications notifications(Asked asked) {
      return new Notifications() {
        @Override
        public Sender sender() {
          return recording(Sender.class, "sender", asked);
        }

        @Override
        public Subscription subscribe(Runnable woken) {
          asked.names.add("subscription");
          return recording(Subscription.class, "subscription", asked);
        }
      };
    }

    private static <T> T recording(Class<T> type, String name, Asked asked) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) -> {
                asked.names.add(name);
                return method.getName().equals("toString") ? name : null;
              }));
    }
  }

  @Test
  void beansOfTheApplicationTakePart() {
    Applications.empty()
        .withUserConfiguration(Extras.class)
        .withBean(FailingOnce.class)
        .run(
            context -> {
              String id = Applications.write(context, "OrderPlaced", "{}");

              DeadEventManager events = context.getBean(DeadEventManager.class);
              Applications.until(() -> events.find(id).orElseThrow().status() == EventStatus.DONE);
              Set<String> asked = context.getBean(Asked.class).names;
              Applications.until(() -> asked.contains("purger"));
              assertThat(asked)
                  .contains(
                      "retry policy",
                      "redactor",
                      "interceptor",
                      "customizer",
                      "writer hook",
                      "purger",
                      "metrics",
                      "subscription");
            });
  }
}
