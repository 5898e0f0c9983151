package outbox.jdbc.store;

import java.util.ArrayList;
import java.util.List;

/** A part of a WHERE clause with its parameters. */
record Condition(String sql, List<Object> parameters) {

  static Condition of(String sql, Object... parameters) {
    return new Condition(sql, List.of(parameters));
  }

  Condition and(Condition other) {
    List<Object> all = new ArrayList<>(parameters);
    all.addAll(other.parameters);
    return new Condition(sql + " AND " + other.sql, all);
  }

  /** The statement with this condition in the place of {@code {where}}. */
  String in(String template) {
    return template.replace("{where}", sql);
  }

  /** All parameters of a statement that has some before and after its condition. */
  Object[] between(List<?> before, Object... after) {
    List<Object> all = new ArrayList<>(before);
    all.addAll(parameters);
    all.addAll(List.of(after));
    return all.toArray();
  }
}
