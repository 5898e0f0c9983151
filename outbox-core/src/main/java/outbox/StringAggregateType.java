package outbox;

import outbox.internal.Require;

/** An aggregate type known only at run time. */
public record StringAggregateType(String name) implements AggregateType {

  public StringAggregateType {
    Require.notEmpty("aggregate type name", name);
  }

  public static StringAggregateType of(String name) {
    return new StringAggregateType(name);
  }

  @Override
  public String toString() {
    return name;
  }
}
