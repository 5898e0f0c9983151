package outbox.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import outbox.EventListener;
import outbox.Outbox;
import outbox.spi.OutboxDatabase;

/** An outbox with tracing, as docs/tracing.md shows it. */
final class TracedOutbox {

  private TracedOutbox() {}

  static Outbox build(
      OutboxDatabase database, OpenTelemetry openTelemetry, EventListener listener) {
    // docs:begin traced
    OpenTelemetryTracing tracing = OpenTelemetryTracing.of(openTelemetry);
    Outbox outbox =
        Outbox.singleNode()
            .database(database)
            .writerHook(tracing)
            .dispatcher(dispatcher -> dispatcher.interceptor(tracing))
            .listener("OrderPlaced", listener)
            .build();
    // docs:end traced
    return outbox;
  }
}
