package outbox.jdbc.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * Ids for an {@code IN ({ids})} that ends a statement, cut into lists that no driver finds too
 * long. Each is filled up to a power of two by repeating an id, so that few different statements
 * are prepared.
 */
public record InList(List<String> ids) {

  private static final int LONGEST = 512;

  public static List<InList> of(Collection<String> ids) {
    List<String> all = List.copyOf(ids);
    List<InList> lists = new ArrayList<>();
    for (int from = 0; from < all.size(); from += LONGEST) {
      lists.add(filled(all.subList(from, Math.min(all.size(), from + LONGEST))));
    }
    return lists;
  }

  /** The statement with as many placeholders as there are ids. */
  public String in(String template) {
    return template.replace("{ids}", String.join(", ", Collections.nCopies(ids.size(), "?")));
  }

  /** All parameters of the statement: these, then the ids. */
  public Object[] after(Object... parameters) {
    List<Object> all = new ArrayList<>(List.of(parameters));
    all.addAll(ids);
    return all.toArray();
  }

  private static InList filled(List<String> ids) {
    List<String> filled = new ArrayList<>(ids);
    while (Integer.bitCount(filled.size()) != 1) {
      filled.add(ids.get(0));
    }
    return new InList(filled);
  }
}
