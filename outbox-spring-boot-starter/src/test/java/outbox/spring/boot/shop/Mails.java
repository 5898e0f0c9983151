package outbox.spring.boot.shop;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.stereotype.Component;
import outbox.EventEnvelope;
import outbox.spring.boot.OutboxHeader;

@Component
class Mails {

  final Queue<String> sent = new ConcurrentLinkedQueue<>();

  // docs:begin parameters
  @OnOrder({OrderEvents.ORDER_PLACED, OrderEvents.ORDER_CANCELLED})
  CompletableFuture<Void> send(
      Map<String, Object> order, EventEnvelope event, @OutboxHeader("locale") String locale) {
    return post(event.eventId(), locale, order.get("orderId"));
  }

  // docs:end parameters

  private CompletableFuture<Void> post(String id, String locale, Object orderId) {
    return CompletableFuture.runAsync(() -> sent.add(id + " " + locale + " " + orderId));
  }
}
