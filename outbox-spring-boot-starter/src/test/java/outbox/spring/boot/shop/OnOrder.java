package outbox.spring.boot.shop;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import outbox.spring.boot.OutboxListener;

// docs:begin composed
@OutboxListener(aggregateType = "Order")
@Retention(RetentionPolicy.RUNTIME)
@interface OnOrder {
  OrderEvents[] value();
}
// docs:end composed
