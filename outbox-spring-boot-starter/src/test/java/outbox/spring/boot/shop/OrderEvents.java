package outbox.spring.boot.shop;

import outbox.EventType;

/** What happens to orders. */
public enum OrderEvents implements EventType {
  ORDER_PLACED,
  ORDER_CANCELLED
}
