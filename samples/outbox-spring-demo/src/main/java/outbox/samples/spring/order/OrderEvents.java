package outbox.samples.spring.order;

import outbox.AggregateType;
import outbox.EventType;
import outbox.StringAggregateType;

/** What happens to orders. */
enum OrderEvents implements EventType {
  ORDER_PLACED;

  static final AggregateType ORDER = StringAggregateType.of("ORDER");
}
