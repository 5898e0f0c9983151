package outbox.dispatch;

import outbox.AsyncEventListener;

/**
 * An event on its way to an asynchronous listener, which may have to wait for a slot. It is routed
 * once, so that the slot it gets is one of the listener that it waited for.
 */
record Passenger(Delivery delivery, AsyncEventListener listener) implements Work {

  @Override
  public boolean isHot() {
    return delivery.isHot();
  }
}
