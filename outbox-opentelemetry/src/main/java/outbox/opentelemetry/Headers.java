package outbox.opentelemetry;

import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapSetter;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/** How a propagator gets at the headers of events. */
final class Headers {

  static final TextMapSetter<Map<String, String>> SETTER =
      (headers, name, value) -> {
        if (headers != null) {
          headers.put(name, value);
        }
      };

  static final TextMapGetter<EventEnvelope> GETTER =
      new TextMapGetter<>() {
        @Override
        @SuppressWarnings("deprecation") // older versions of the API ask for it
        public Iterable<String> keys(EventEnvelope event) {
          return event.headers().keySet();
        }

        @Override
        public @Nullable String get(@Nullable EventEnvelope event, String name) {
          return event == null ? null : event.header(name);
        }
      };

  private Headers() {}
}
