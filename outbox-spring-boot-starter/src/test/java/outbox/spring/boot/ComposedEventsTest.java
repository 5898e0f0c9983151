package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AliasFor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.domain.OutboxEvent;
import outbox.spring.broken.InvoiceResent;

/** Annotations that an application makes of the outbox's, and event types that two classes have. */
class ComposedEventsTest {

  // docs:begin composed
  @OutboxEvent(aggregateType = "Invoice")
  @Retention(RetentionPolicy.RUNTIME)
  @interface InvoiceEvent {

    @AliasFor(annotation = OutboxEvent.class, attribute = "value")
    String called();
  }

  // docs:end composed

  @InvoiceEvent(called = "invoice.sent")
  record InvoiceSent(int number) {}

  @OutboxListener
  @Retention(RetentionPolicy.RUNTIME)
  @interface OnInvoice {

    @AliasFor(annotation = OutboxListener.class, attribute = "value")
    String[] called() default {};
  }

  static class Letters {

    final List<String> sent = new CopyOnWriteArrayList<>();

    @OnInvoice
    void send(InvoiceSent invoice, EventEnvelope event) {
      sent.add(event.aggregateType() + " " + invoice.number());
    }

    @OnInvoice(called = "invoice.paid")
    void thank(String payload) {
      sent.add(payload);
    }
  }

  private static ApplicationContextRunner application() {
    return Applications.empty()
        .withConfiguration(AutoConfigurations.of(DomainEventsAutoConfiguration.class))
        .withBean(Letters.class);
  }

  @Test
  void bothCountWithTheirAliases() {
    application()
        .run(
            context -> {
              publish(context, new InvoiceSent(7));
              Applications.write(context, "invoice.paid", "{}");

              List<String> sent = context.getBean(Letters.class).sent;
              Applications.until(() -> sent.size() == 2);
              assertThat(sent).containsExactlyInAnyOrder("Invoice 7", "{}");
            });
  }

  @Test
  void anEventWhoseTypeAnotherClassHasIsRefusedWhereItIsPublished() {
    application()
        .run(
            context ->
                assertThatThrownBy(() -> publish(context, new InvoiceResent(7)))
                    .hasMessageContainingAll(
                        "same event type, invoice.sent",
                        InvoiceSent.class.getName(),
                        InvoiceResent.class.getName()));
  }

  private static void publish(ApplicationContext context, Object event) {
    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(status -> context.publishEvent(event));
  }
}
