package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Transactional;
import outbox.EventEnvelope;
import outbox.EventType;
import outbox.Outbox;
import outbox.domain.OutboxEvent;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.registry.ListenerRegistry;
import outbox.spring.SpringTxContext;
import outbox.spring.boot.ListenersTest.OrderEvents;
import outbox.spring.boot.Orders.OrderPlaced;

/** Listeners that can't be called as they ask are refused at the start, each with its place. */
class ListenerRefusalsTest {

  static class Returning {
    @OutboxListener("A")
    int listen() {
      return 1;
    }
  }

  static class TwoPayloads {
    @OutboxListener("A")
    void listen(OrderPlaced order, String text) {}
  }

  static class NumberOfHeader {
    @OutboxListener("A")
    void listen(@OutboxHeader("count") int count) {}
  }

  static class AllHeadersAsText {
    @OutboxListener("A")
    void listen(@OutboxHeader String headers) {}
  }

  static class Static {
    @OutboxListener("A")
    static void listen() {}
  }

  static class NoType {
    @OutboxListener
    void listen() {}
  }

  @OutboxEvent
  interface SomeEvent {}

  static class AnyOfSeveralTypes {
    @OutboxListener
    void listen(SomeEvent event) {}
  }

  static class UnknownConstant {
    @OutboxListener(enumType = OrderEvents.class, value = "LOST")
    void listen() {}
  }

  static class NoEnum {
    @OutboxListener(enumType = NotAnEnum.class)
    void listen() {}
  }

  interface NotAnEnum extends EventType {}

  @OutboxListener("A")
  static class NoListener {}

  static class Ordered {
    @OutboxListener(value = "A", ordered = true)
    void listen() {}
  }

  static class FireAndForget {
    @Async
    @OutboxListener("A")
    public void listen() {}
  }

  @Transactional
  static class FinalMethod {
    @OutboxListener("A")
    public final void listen(EventEnvelope event) {}
  }

  static Arguments[] unusable() {
    return new Arguments[] {
      Arguments.of(Returning.class, "must return nothing or a CompletionStage, got: int"),
      Arguments.of(TwoPayloads.class, "2 parameters for the payload"),
      Arguments.of(NumberOfHeader.class, "@OutboxHeader must be a Map<String, String>"),
      Arguments.of(AllHeadersAsText.class, "@OutboxHeader must be a Map<String, String>"),
      Arguments.of(Static.class, "must not be static"),
      Arguments.of(NoType.class, "names no event type"),
      Arguments.of(AnyOfSeveralTypes.class, "names no event type"),
      Arguments.of(UnknownConstant.class, "LOST is no constant of"),
      Arguments.of(NoEnum.class, "enumType must be an enum"),
      Arguments.of(NoListener.class, "must implement outbox.EventListener"),
      Arguments.of(Ordered.class, "outbox.mode=ordered"),
      Arguments.of(FireAndForget.class, "with @Async it must return a CompletableFuture"),
      Arguments.of(FinalMethod.class, "must not be final")
    };
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void unusableListenerIsRefusedWithItsPlace(Class<?> listener, String why) {
    assertThat(refusal(listener)).contains(listener.getName(), "(bean a)", why);
  }

  @Test
  void aListenerThatReliesOnOrderIsFineWhereItIsKept() {
    Applications.empty()
        .withBean(Ordered.class)
        .withPropertyValues("outbox.mode=ordered")
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Configuration(proxyBeanMethods = false)
  static class OrderedOutbox {

    @Bean
    Outbox orderedOutbox(DataSource dataSource, ListenerRegistry listeners) {
      OutboxSchema.of("h2").apply(dataSource);
      return Outbox.ordered()
          .store(new H2OutboxStore())
          .connectionProvider(new DataSourceConnectionProvider(dataSource))
          .txContext(new SpringTxContext(dataSource))
          .listenerRegistry(listeners)
          .build();
    }
  }

  @Test
  void anOutboxOfTheApplicationIsAskedItselfWhetherItKeepsOrder() {
    Applications.empty()
        .withBean(Ordered.class)
        .withUserConfiguration(OrderedOutbox.class)
        .run(context -> assertThat(context).hasNotFailed());
    Applications.empty()
        .withBean(Ordered.class)
        .withUserConfiguration(OutboxAutoConfigurationTest.OwnOutbox.class)
        .run(
            context ->
                assertThat(Applications.refusal(context.getStartupFailure()))
                    .hasMessageContaining("Outbox.ordered()"));
  }

  static class Twice {
    @OutboxListener("OrderPlaced")
    void other() {}
  }

  @Test
  void bothPlacesOfADuplicateAreNamed() {
    Applications.listening()
        .withBean("twice", Twice.class)
        .run(
            context ->
                assertThat(Applications.refusal(context.getStartupFailure()).problem())
                    .contains(
                        "event type OrderPlaced has two listeners",
                        Orders.class.getName() + ".placed(OrderPlaced)",
                        Twice.class.getName() + ".other() (bean twice)"));
  }

  interface Shipping {
    void ship();
  }

  @Transactional
  static class HiddenByInterface implements Shipping {
    @Override
    public void ship() {}

    @OutboxListener("A")
    public void listen() {}
  }

  @Test
  void aMethodThatTheProxyDoesNotHaveIsRefused() {
    Applications.empty()
        .withBean("a", HiddenByInterface.class)
        .withPropertyValues("spring.aop.proxy-target-class=false")
        .run(
            context ->
                assertThat(Applications.refusal(context.getStartupFailure()).problem())
                    .contains(HiddenByInterface.class.getName() + ".listen() (bean a)", "proxy"));
  }

  @Test
  void withoutJacksonThereIsNothingToBindWith() {
    Applications.listening()
        .withClassLoader(
            new FilteredClassLoader("com.fasterxml.jackson.databind", "tools.jackson.databind"))
        .run(
            context ->
                assertThat(Applications.refusal(context.getStartupFailure()).problem())
                    .contains("nothing can read JSON", "spring-boot-starter-jackson"));
  }

  private static String refusal(Class<?> listener) {
    String[] problem = new String[1];
    Applications.empty()
        .withBean("a", listener)
        .run(context -> problem[0] = Applications.refusal(context.getStartupFailure()).problem());
    return problem[0];
  }
}
