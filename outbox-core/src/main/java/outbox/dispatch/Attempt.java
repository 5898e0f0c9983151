package outbox.dispatch;

import outbox.EventEnvelope;

/** One try of one event, and how many interceptors have to hear of its end. */
final class Attempt {

  private final Delivery delivery;
  private int entered;

  Attempt(Delivery delivery) {
    this.delivery = delivery;
  }

  Delivery delivery() {
    return delivery;
  }

  EventEnvelope envelope() {
    return delivery.envelope();
  }

  int entered() {
    return entered;
  }

  void enteredOneMore() {
    entered++;
  }
}
