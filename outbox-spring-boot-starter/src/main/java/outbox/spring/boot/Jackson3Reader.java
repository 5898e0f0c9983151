package outbox.spring.boot;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Reads JSON with Jackson 3. */
record Jackson3Reader(ObjectMapper mapper) implements PayloadReader {

  static Jackson3Reader byDefault() {
    return new Jackson3Reader(JsonMapper.builder().findAndAddModules().build());
  }

  @Override
  public @Nullable Object read(EventEnvelope event, Type type) {
    String json = Argument.text(event, type);
    try {
      return mapper.readValue(json, mapper.constructType(type));
    } catch (JacksonException e) {
      // Neither its message nor its path: both quote the payload.
      TokenStreamLocation at = e.getLocation();
      String place =
          at == null ? "" : " at line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
      throw Argument.unreadable(event, type, e.getClass().getName() + place);
    }
  }
}
