package outbox.spring.boot;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/** Reads JSON with Jackson 2. */
record Jackson2Reader(ObjectMapper mapper) implements PayloadReader {

  /** As lenient as the one that Spring Boot would make, and with dates as text. */
  static Jackson2Reader byDefault() {
    return new Jackson2Reader(
        JsonMapper.builder()
            .findAndAddModules()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build());
  }

  @Override
  public @Nullable Object read(EventEnvelope event, Type type) {
    String json = Argument.text(event, type);
    try {
      return mapper.readValue(json, mapper.constructType(type));
    } catch (JsonProcessingException e) {
      // Neither its message nor its path: both quote the payload.
      JsonLocation at = e.getLocation();
      String place =
          at == null ? "" : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
      throw Argument.unreadable(event, type, e.getClass().getName() + place);
    }
  }
}
