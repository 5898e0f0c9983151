package outbox.poller;

import java.util.Objects;
import java.util.Set;
import outbox.model.EventKind;

/**
 * What a handler wants of the next poll.
 *
 * @param most how many events at most
 * @param usually how many it would want if nothing waited there, but for what it wants no more of
 * @param except kinds that it wants no more of, because so many of them wait there already
 * @param waiting how many events of those kinds wait there
 */
public record Demand(int most, int usually, Set<EventKind> except, int waiting) {

  public Demand {
    Objects.requireNonNull(except, "except must not be null");
    except = Set.copyOf(except);
  }

  /** So many of whatever there is. */
  public static Demand of(int most) {
    return new Demand(most, Integer.MAX_VALUE, Set.of(), 0);
  }
}
