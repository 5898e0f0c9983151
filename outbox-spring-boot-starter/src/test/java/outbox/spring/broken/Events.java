package outbox.spring.broken;

import outbox.domain.OutboxEvent;

/** Events of which all but one can't work. */
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
}
