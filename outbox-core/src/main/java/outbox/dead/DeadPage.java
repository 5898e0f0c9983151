package outbox.dead;

import java.util.List;
import java.util.Optional;
import outbox.model.DeadQuery;
import outbox.model.EventDetails;

/**
 * Some dead events with all that is known about them.
 *
 * @param next finds what comes after them; empty if nothing does
 */
public record DeadPage(List<EventDetails> events, Optional<DeadQuery> next) {

  public DeadPage {
    events = List.copyOf(events);
  }

  static DeadPage of(DeadQuery query, List<EventDetails> events) {
    if (events.size() < query.limit()) {
      return new DeadPage(events, Optional.empty());
    }
    EventDetails last = events.get(events.size() - 1);
    DeadQuery next = query.startingAfter(DeadQuery.Position.of(last.event()));
    return new DeadPage(events, Optional.of(next));
  }
}
