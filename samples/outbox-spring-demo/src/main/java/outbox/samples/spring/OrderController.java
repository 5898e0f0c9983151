package outbox.samples.spring;

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

@RestController
@RequestMapping("/orders")
class OrderController {

  private final Orders orders;

  OrderController(Orders orders) {
    this.orders = orders;
  }

  @PostMapping
  ResponseEntity<Order> place(@Valid @RequestBody NewOrder order) {
    long id = orders.place(order);
    return ResponseEntity.created(URI.create("/orders/" + id)).body(show(id));
  }

  @GetMapping("/{id}")
  Order show(@PathVariable long id) {
    return orders.find(id).orElseThrow(() -> unknown(id));
  }

  /** From now on the order can be shipped; its event, if dead, still has to be replayed. */
  @PostMapping("/{id}/repair")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void repair(@PathVariable long id) {
    if (!orders.repair(id)) {
      throw unknown(id);
    }
  }

  private static ResponseStatusException unknown(long id) {
    return new ResponseStatusException(HttpStatus.NOT_FOUND, "order " + id + " does not exist");
  }
}
