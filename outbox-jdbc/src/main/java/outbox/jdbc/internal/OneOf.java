package outbox.jdbc.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** The condition that a column has one of some values, as a database likes it best. */
public enum OneOf {

  /**
   * A list of placeholders, filled up to a power of two by repeating a value, so that few different
   * statements are prepared.
   */
  LIST(512) {
    @Override
    public Condition condition(String column, Collection<?> values) {
      List<Object> filled = new ArrayList<>(values);
      while (Integer.bitCount(filled.size()) != 1) {
        filled.add(filled.get(0));
      }
      String placeholders = String.join(", ", Collections.nCopies(filled.size(), "?"));
      return new Condition(column + " IN (" + placeholders + ")", filled);
    }
  },

  /** One array, so that the statement is always the same. */
  ARRAY(10_000) {
    @Override
    public Condition condition(String column, Collection<?> values) {
      return Condition.of(column + " = ANY (?)", ArrayParameter.of(values));
    }
  };

  private final int longest;

  OneOf(int longest) {
    this.longest = longest;
  }

  /** At least one value, and not too many: see {@link #chunks}. */
  public abstract Condition condition(String column, Collection<?> values);

  /** Cuts into lists that no driver finds too long. */
  public <T> List<List<T>> chunks(List<T> values) {
    List<List<T>> chunks = new ArrayList<>();
    for (int from = 0; from < values.size(); from += longest) {
      chunks.add(values.subList(from, Math.min(values.size(), from + longest)));
    }
    return chunks;
  }
}
