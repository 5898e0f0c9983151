package outbox.samples.spring.event;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import outbox.dead.DeadEventManager;
import outbox.poller.OutboxPoller;

@RestController
class EventController {

  private final DeadEventManager events;
  private final OutboxPoller poller;

  EventController(DeadEventManager events, OutboxPoller poller) {
    this.events = events;
    this.poller = poller;
  }

  @GetMapping("/events/{id}")
  EventView show(@PathVariable String id) {
    return events.find(id).map(EventView::of).orElseThrow(() -> unknown(id));
  }

  /** The oldest ones. */
  @GetMapping("/dead-events")
  List<DeadEvent> dead(@RequestParam(defaultValue = "50") @Min(1) @Max(500) int limit) {
    return events.query(null, null, limit).stream().map(DeadEvent::of).toList();
  }

  /** Has a dead event delivered again, at once. */
  @PostMapping("/dead-events/{id}/replay")
  @ResponseStatus(HttpStatus.ACCEPTED)
  EventView replay(@PathVariable String id) {
    EventView event = show(id);
    if (!events.replay(id)) {
      throw new ResponseStatusException(
          HttpStatus.CONFLICT,
          "only a dead event can be replayed; event %s is %s".formatted(id, event.status()));
    }
    poller.wake();
    return show(id);
  }

  private static ResponseStatusException unknown(String id) {
    return new ResponseStatusException(HttpStatus.NOT_FOUND, "event " + id + " does not exist");
  }
}
