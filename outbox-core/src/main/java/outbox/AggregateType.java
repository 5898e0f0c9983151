package outbox;

/** The kind of thing an event is about; together with the event type it selects the listener. */
public interface AggregateType {

  /** What an event belongs to when no aggregate type is given. */
  AggregateType GLOBAL = StringAggregateType.of("__GLOBAL__");

  String name();
}
