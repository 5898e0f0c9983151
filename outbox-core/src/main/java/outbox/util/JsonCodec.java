package outbox.util;

import java.util.Map;

/**
 * Turns headers into a flat JSON object and back, losing nothing.
 *
 * <p>The default needs no library. An application that has Jackson or Gson may implement this
 * instead; {@link #parseObject} must then throw {@link IllegalArgumentException} for text that can
 * never be read, because such a row is buried, while after any other exception it is tried again.
 */
public interface JsonCodec {

  static JsonCodec getDefault() {
    return DefaultJsonCodec.INSTANCE;
  }

  /**
   * Writes the headers as a JSON object; null for null or no headers.
   *
   * @throws IllegalArgumentException if a name is null
   */
  @Nullable
  String toJson(@Nullable Map<String, @Nullable String> headers);

  /**
   * Reads what {@link #toJson} wrote; null, the empty text and {@code null} are no headers.
   *
   * @throws IllegalArgumentException if the text is not a flat JSON object of strings
   */
  Map<String, @Nullable String> parseObject(@Nullable String json);
}
