package outbox.jdbc.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a WHERE clause with its parameters. Values are parameters throughout; the text is made
 * of constants.
 */
public record Condition(String sql, List<Object> parameters) {

  public static Condition of(String sql, Object... parameters) {
    return new Condition(sql, List.of(parameters));
  }

  public Condition and(Condition other) {
    List<Object> all = new ArrayList<>(parameters);
    all.addAll(other.parameters);
    return new Condition(sql + " AND " + other.sql, all);
  }

  /** Restricts by a value, unless that is null. */
  public Condition and(String sql, @Nullable Object value) {
    return value == null ? this : and(of(sql, value));
  }

  /** The statement with this condition in the place of {@code {where}}. */
  public String in(String template) {
    return template.replace("{where}", sql);
  }

  /** All parameters of a statement that has some before and after its condition. */
  public Object[] between(List<?> before, Object... after) {
    List<Object> all = new ArrayList<>(before);
    all.addAll(parameters);
    all.addAll(List.of(after));
    return all.toArray();
  }

  /** All parameters of a statement that has some after its condition. */
  public Object[] before(Object... after) {
    return between(List.of(), after);
  }
}
