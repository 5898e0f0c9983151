package outbox.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * What was read of some tables. One that can't be read is shown with its error, and the others all
 * the same.
 *
 * @param hasAny whether one could be read, or there is none
 */
record Readings(List<Object> shown, boolean hasAny) {

  static final int UNAVAILABLE = 503;

  /**
   * @throws UnsupportedOperationException if no store can do this
   */
  static Readings of(List<WatchedTable> tables, Function<WatchedTable, List<?>> read) {
    List<Object> shown = new ArrayList<>();
    List<RuntimeException> failures = new ArrayList<>();
    for (WatchedTable table : tables) {
      try {
        shown.addAll(read.apply(table));
      } catch (RuntimeException e) {
        failures.add(e);
        shown.add(ShownTable.unreadable(table, e));
      }
    }
    boolean hasAny = failures.isEmpty() || failures.size() < tables.size();
    if (!hasAny && failures.get(0) instanceof UnsupportedOperationException unsupported) {
      throw unsupported;
    }
    return new Readings(shown, hasAny);
  }

  /** That of a failure if nothing could be read. */
  int status() {
    return hasAny ? WebEndpointResponse.STATUS_OK : UNAVAILABLE;
  }
}
