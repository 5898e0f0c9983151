package outbox.spring.broken;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import outbox.domain.OutboxEvent;

/** Events of which all but two can't work. */
final class Events {

  private Events() {}

  @OutboxEvent(aggregateId = "ordrId")
  record Misspelt(int orderId) {}

  @OutboxEvent(aggregateId = "nothing")
  abstract static class Parent {}

  static final class Child extends Parent {}

  @OutboxEvent(aggregateId = "id")
  interface Contract {}

  record Implementation(int number) implements Contract {}

  @OutboxEvent(aggregateId = "number")
  record Sound(int number) {}

  @OutboxEvent(headers = "outbox-encoding = number")
  record Reserved(int number) {}

  @OutboxEvent(aggregateId = "id")
  @Retention(RetentionPolicy.RUNTIME)
  @interface OfAnInvoice {}

  @OfAnInvoice
  record Composed(int number) {}

  @OutboxEvent("twice")
  record Twin(int number) {}

  @OutboxEvent("twice")
  record OtherTwin(int number) {}
}
