package outbox.benchmarks.contender;

import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;

/** A library that lives in a Spring Boot application: its context and its transactions. */
final class SpringPeer implements AutoCloseable {

  static {
    // Every context would set up logging anew, and take it down at its end.
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
  }

  private final ConfigurableApplicationContext context;
  private final SpringTransactions transactions;

  private SpringPeer(ConfigurableApplicationContext context, DataSource dataSource) {
    this.context = context;
    this.transactions =
        new SpringTransactions(dataSource, context.getBean(PlatformTransactionManager.class));
  }

  /** Starts the application with the sink that its listener will find. */
  static SpringPeer start(
      Class<?> application, DataSource dataSource, LateSink sink, Map<String, Object> properties) {
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(application)
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .logStartupInfo(false)
            .registerShutdownHook(false)
            .properties(properties)
            .initializers(starting -> register(starting, dataSource, new Listening(sink)))
            .run();
    return new SpringPeer(context, dataSource);
  }

  /** What the peers' listeners call. */
  record Listening(LateSink sink) {
    void delivered(String payload) {
      sink.delivered(Payload.id(payload));
    }
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  void publish(Object event) {
    context.publishEvent(event);
  }

  SpringTransactions transactions() {
    return transactions;
  }

  @Override
  public void close() {
    context.close();
  }

  private static void register(
      ConfigurableApplicationContext context, DataSource dataSource, Listening listening) {
    GenericApplicationContext beans = (GenericApplicationContext) context;
    // Not ours to close: the pool is the stage's.
    beans.registerBean(
        DataSource.class, () -> dataSource, definition -> definition.setDestroyMethodName(""));
    beans.registerBean(Listening.class, () -> listening);
  }
}
