package outbox.jdbc.purge;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import outbox.spi.PurgeRequest.Scope;

/**
 * Conditions that find rows before a moment in the order of an index, and no more than a limit.
 *
 * @param times how often they ask for the moment; the limit comes last
 */
record Expired(String conditions, int times) {

  /** Rows without a time of their end are apart, because one condition for both has no index. */
  private static final List<Expired> DONE =
      List.of(
          new Expired("status = 1 AND done_at < ? ORDER BY done_at LIMIT ?", 1),
          new Expired(
              "status = 1 AND done_at IS NULL AND created_at < ? ORDER BY created_at LIMIT ?", 1));

  /** By the index of dead letters. */
  private static final List<Expired> DEAD = byAge(3);

  /** Where one index has all that is finished by its age, as that of dead letters does. */
  private static final List<Expired> DONE_BY_AGE = byAge(1);

  /** By the index of pending rows, in its order. */
  private static final List<Expired> UNCLAIMED =
      List.of(
          new Expired(
              "status = 0 AND created_at < ? AND available_at < ? AND locked_by IS NULL"
                  + " ORDER BY available_at, event_id LIMIT ?",
              2));

  static List<Expired> of(Scope scope) {
    return switch (scope) {
      case DONE -> DONE;
      case DEAD -> DEAD;
      case UNCLAIMED -> UNCLAIMED;
    };
  }

  static List<Expired> byAge(Scope scope) {
    return scope == Scope.DONE ? DONE_BY_AGE : of(scope);
  }

  /** Nothing ended before it was created, so that the order of creation tells where to stop. */
  private static List<Expired> byAge(int status) {
    return List.of(
        new Expired(
            "status = %d AND created_at < ? AND COALESCE(done_at, created_at) < ? ORDER BY created_at, event_id LIMIT ?"
                .formatted(status),
            2));
  }

  Object[] parameters(Object before, int limit) {
    List<Object> parameters = new ArrayList<>(Collections.nCopies(times, before));
    parameters.add(limit);
    return parameters.toArray();
  }
}
