package outbox.samples.spring.order;

import jakarta.validation.Valid;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import outbox.dead.DeadEventManager;
import outbox.samples.spring.event.EventView;

@RestController
@RequestMapping("/orders")
class OrderController {

  private final OrderService service;
  private final OrderRepository orders;
  private final DeadEventManager events;

  OrderController(OrderService service, OrderRepository orders, DeadEventManager events) {
    this.service = service;
    this.orders = orders;
    this.events = events;
  }

  @PostMapping
  ResponseEntity<OrderView> place(@Valid @RequestBody NewOrder request) {
    Order order = service.place(request);
    return ResponseEntity.created(URI.create("/orders/" + order.id())).body(view(order));
  }

  @GetMapping("/{id}")
  OrderView show(@PathVariable long id) {
    return view(orders.find(id).orElseThrow(() -> unknown(id)));
  }

  /** From now on the order can be shipped; its event, if dead, still has to be replayed. */
  @PostMapping("/{id}/repair")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void repair(@PathVariable long id) {
    if (!orders.repair(id)) {
      throw unknown(id);
    }
  }

  private OrderView view(Order order) {
    return OrderView.of(order, events.find(order.eventId()).map(EventView::of).orElse(null));
  }

  private static ResponseStatusException unknown(long id) {
    return new ResponseStatusException(HttpStatus.NOT_FOUND, "order " + id + " does not exist");
  }
}
