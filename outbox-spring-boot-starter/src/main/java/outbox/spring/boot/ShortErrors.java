package outbox.spring.boot;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.dispatch.ErrorRedactor;

/** Cuts what is told of a failure to a number of bytes, never through a character. */
record ShortErrors(ErrorRedactor redactor, int maxBytes) implements ErrorRedactor {

  @Override
  public @Nullable String redact(EventEnvelope event, Throwable failure) {
    String text = redactor.redact(event, failure);
    return text == null ? null : cut(text);
  }

  private String cut(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= maxBytes) {
      return text;
    }
    int end = maxBytes;
    while (end > 0 && (bytes[end] & 0xC0) == 0x80) { // in the middle of a character
      end--;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8);
  }
}
