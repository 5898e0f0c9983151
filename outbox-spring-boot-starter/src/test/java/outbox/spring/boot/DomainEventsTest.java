package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.domain.OutboxEvent;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** What is published is written with the transaction that it is published in, or not at all. */
@ParameterizedClass
@MethodSource("servers")
class DomainEventsTest {

  @Parameter Database server;

  static List<Database> servers() {
    return List.of(Databases.h2(), Databases.postgres());
  }

  @OutboxEvent(
      aggregateType = "Order",
      aggregateId = "orderId",
      tenantId = "tenant",
      headers = "locale")
  record OrderPlaced(Long orderId, String tenant, String locale, Instant at) {
    static OrderPlaced of(long orderId) {
      return new OrderPlaced(orderId, "acme", "de", Instant.parse("2026-11-17T12:00:00Z"));
    }
  }

  @OutboxEvent("invoice.due")
  record InvoiceDue(long orderId) {}

  record NothingForTheOutbox(long orderId) {}

  @Test
  void aPublishedEventIsARowOfItsTransaction() {
    run(
        app -> {
          app.inTransaction(
              () -> {
                app.publish(OrderPlaced.of(42));
                app.publish(new NothingForTheOutbox(42));

                assertThat(app.types()).containsExactly("OrderPlaced");
              });

          assertThat(app.jdbc.queryForMap("SELECT * FROM outbox_event"))
              .containsEntry("event_type", "OrderPlaced")
              .containsEntry("aggregate_type", "Order")
              .containsEntry("aggregate_id", "42")
              .containsEntry("tenant_id", "acme");
          assertThat(app.column("payload"))
              .containsExactly(
                  "{\"orderId\":42,\"tenant\":\"acme\",\"locale\":\"de\",\"at\":\"2026-11-17T12:00:00Z\"}");
          assertThat(app.column("headers").get(0)).contains("\"locale\":\"de\"");
        });
  }

  @Test
  void aRollbackTakesItBack() {
    run(
        app -> {
          app.transaction()
              .executeWithoutResult(
                  status -> {
                    app.publish(OrderPlaced.of(1));
                    status.setRollbackOnly();
                  });

          assertThat(app.types()).isEmpty();
        });
  }

  @Test
  void withoutATransactionWhoeverPublishesIsToldWhatToDo() {
    run(
        app -> {
          assertThatIllegalStateException()
              .isThrownBy(() -> app.publish(OrderPlaced.of(1)))
              .withMessageContainingAll(
                  OrderPlaced.class.getName(),
                  "is not written to the outbox",
                  "no transaction is active",
                  "@Transactional");
          assertThat(app.types()).isEmpty();
        });
  }

  @Test
  void inAReadOnlyTransactionToo() {
    run(
        app -> {
          TransactionTemplate readOnly = app.transaction();
          readOnly.setReadOnly(true);

          assertThatIllegalStateException()
              .isThrownBy(
                  () -> readOnly.executeWithoutResult(status -> app.publish(OrderPlaced.of(1))))
              .withMessageContainingAll(OrderPlaced.class.getName(), "read-only");
          assertThat(app.types()).isEmpty();
        });
  }

  @Test
  void anEventThatCannotBeWrittenRollsItsTransactionBack() {
    run(
        app -> {
          assertThatIllegalArgumentException()
              .isThrownBy(
                  () ->
                      app.inTransaction(
                          () -> {
                            app.publish(new InvoiceDue(1));
                            app.publish(new OrderPlaced(null, null, null, null));
                          }))
              .withMessageContaining("aggregateId (orderId)");
          assertThat(app.types()).isEmpty();
        });
  }

  /** Goes first among the application's own. */
  static class Billing {
    private final ApplicationEventPublisher events;

    Billing(ApplicationEventPublisher events) {
      this.events = events;
    }

    @EventListener
    @Order(Integer.MIN_VALUE)
    void bill(OrderPlaced order) {
      events.publishEvent(new InvoiceDue(order.orderId()));
    }
  }

  @Test
  void eventsAreWrittenInTheOrderOfTheirPublication() {
    run(
        app -> {
          app.inTransaction(
              () -> {
                app.publish(OrderPlaced.of(1));
                app.publish(OrderPlaced.of(2));
              });

          assertThat(app.column("payload"))
              .extracting(payload -> payload.replaceAll("\\D*(\\d+).*", "$1"))
              .containsExactly("1", "1", "2", "2");
          assertThat(app.types())
              .containsExactly("OrderPlaced", "invoice.due", "OrderPlaced", "invoice.due");
        },
        Billing.class);
  }

  static class LateBilling {
    final List<String> refusals = new ArrayList<>();
    private final ApplicationEventPublisher events;

    LateBilling(ApplicationEventPublisher events) {
      this.events = events;
    }

    @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
    void bill(OrderPlaced order) {
      events.publishEvent(new InvoiceDue(order.orderId()));
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
    void tooLate(OrderPlaced order) {
      try {
        events.publishEvent(new InvoiceDue(order.orderId()));
      } catch (IllegalStateException e) {
        refusals.add(e.getMessage());
      }
    }
  }

  @Test
  void whatIsPublishedJustBeforeTheCommitIsWrittenAndJustAfterItIsRefused() {
    run(
        app -> {
          app.inTransaction(() -> app.publish(OrderPlaced.of(1)));

          assertThat(app.types()).containsExactly("OrderPlaced", "invoice.due");
          assertThat(app.context.getBean(LateBilling.class).refusals)
              .singleElement()
              .asString()
              .contains("has already ended", "REQUIRES_NEW");
        },
        LateBilling.class);
  }

  @Test
  void aNestedTransactionTakesBackItsOwnEventsOnly() {
    run(
        app -> {
          TransactionTemplate nested = app.transaction();
          nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);

          app.inTransaction(
              () -> {
                app.publish(OrderPlaced.of(1));
                nested.executeWithoutResult(
                    status -> {
                      app.publish(new InvoiceDue(1));
                      status.setRollbackOnly();
                    });
                nested.executeWithoutResult(status -> app.publish(OrderPlaced.of(2)));
              });

          assertThat(app.column("aggregate_id")).containsExactly("1", "2");
        });
  }

  @Test
  void anIndependentTransactionKeepsItsEventsWhateverBecomesOfTheOuterOne() {
    run(
        app -> {
          TransactionTemplate independent = app.transaction();
          independent.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

          app.transaction()
              .executeWithoutResult(
                  status -> {
                    app.publish(OrderPlaced.of(1));
                    independent.executeWithoutResult(inner -> app.publish(new InvoiceDue(1)));
                    app.publish(OrderPlaced.of(1));
                    status.setRollbackOnly();
                  });

          assertThat(app.types()).containsExactly("invoice.due");
        });
  }

  static class Shipping {
    final List<OrderPlaced> shipped = new ArrayList<>();

    @OutboxListener
    synchronized void ship(OrderPlaced order) {
      shipped.add(order);
    }

    synchronized List<OrderPlaced> shipped() {
      return List.copyOf(shipped);
    }
  }

  @Test
  void aListenerGetsWhatWasPublished() {
    try (Database database = server.fresh()) {
      Applications.on(database)
          .withConfiguration(AutoConfigurations.of(DomainEventsAutoConfiguration.class))
          .withBean(Shipping.class)
          .run(
              context -> {
                App app = new App(context);
                app.inTransaction(() -> app.publish(OrderPlaced.of(42)));

                Shipping shipping = context.getBean(Shipping.class);
                Applications.until(() -> !shipping.shipped().isEmpty());
                assertThat(shipping.shipped()).containsExactly(OrderPlaced.of(42));
              });
    }
  }

  private record App(ApplicationContext context, JdbcTemplate jdbc) {

    App(ApplicationContext context) {
      this(context, new JdbcTemplate(context.getBean(javax.sql.DataSource.class)));
    }

    void publish(Object event) {
      context.publishEvent(event);
    }

    TransactionTemplate transaction() {
      return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    void inTransaction(Runnable work) {
      transaction().executeWithoutResult(status -> work.run());
    }

    List<String> types() {
      return column("event_type");
    }

    List<String> column(String name) {
      return jdbc.queryForList(
          "SELECT %s FROM outbox_event ORDER BY seq".formatted(name), String.class);
    }
  }

  private void run(Consumer<App> test, Class<?>... beans) {
    try (Database database = server.fresh()) {
      var runner =
          Applications.on(database)
              .withConfiguration(AutoConfigurations.of(DomainEventsAutoConfiguration.class))
              .withUserConfiguration(TransactionalEvents.class)
              .withPropertyValues("outbox.mode=writer-only");
      for (Class<?> bean : beans) {
        runner = runner.withBean(bean);
      }
      runner.run(context -> test.accept(new App(context)));
    }
  }
}
