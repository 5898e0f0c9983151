package outbox.spring.boot.traced;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import outbox.EventEnvelope;
import outbox.spring.boot.OutboxListener;

/** A process of its own that prints in which trace, and after which span, it got each event. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class TracedListener {

  static final String SEEN = "listener saw ";

  private final Tracer tracer;

  TracedListener(Tracer tracer) {
    this.tracer = tracer;
  }

  public static void main(String[] args) {
    SpringApplication.run(TracedListener.class, args);
  }

  @OutboxListener("OrderPlaced")
  void shipped(EventEnvelope event) {
    Span span = Objects.requireNonNull(tracer.currentSpan());
    System.out.printf(
        "%s%s %s %s %s%n",
        SEEN,
        span.context().traceId(),
        span.context().parentId(),
        event.header("traceparent"),
        tracer.getBaggage("customer").get());
  }
}
