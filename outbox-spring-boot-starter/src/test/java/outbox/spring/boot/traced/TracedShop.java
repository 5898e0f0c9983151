package outbox.spring.boot.traced;

import io.micrometer.tracing.Tracer;
import java.util.Objects;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import outbox.OutboxWriter;

/** Writes an event in each request, and answers with the trace that the request belongs to. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@RestController
class TracedShop {

  private final OutboxWriter outbox;
  private final TransactionTemplate transactions;
  private final Tracer tracer;

  TracedShop(OutboxWriter outbox, PlatformTransactionManager transactions, Tracer tracer) {
    this.outbox = outbox;
    this.transactions = new TransactionTemplate(transactions);
    this.tracer = tracer;
  }

  @PostMapping("/orders")
  String place() {
    transactions.executeWithoutResult(status -> outbox.write("OrderPlaced", "{\"orderId\":1}"));
    return Objects.requireNonNull(tracer.currentSpan()).context().traceId();
  }
}
