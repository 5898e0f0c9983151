package outbox.util;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import outbox.internal.JsonString;

/** Reads and writes flat JSON objects of strings without any library; safe for all threads. */
public final class DefaultJsonCodec implements JsonCodec {

  static final DefaultJsonCodec INSTANCE = new DefaultJsonCodec();

  @Override
  public @Nullable String toJson(@Nullable Map<String, @Nullable String> headers) {
    if (headers == null || headers.isEmpty()) {
      return null;
    }
    StringBuilder json = new StringBuilder(headers.size() * 32).append('{');
    Iterator<Map.Entry<String, @Nullable String>> entries = headers.entrySet().iterator();
    while (entries.hasNext()) {
      append(json, entries.next());
      json.append(entries.hasNext() ? ',' : '}');
    }
    return json.toString();
  }

  @Override
  public Map<String, @Nullable String> parseObject(@Nullable String json) {
    if (json == null || json.isBlank() || json.strip().equals("null")) {
      return new LinkedHashMap<>();
    }
    return new FlatJsonReader(json).object();
  }

  private static void append(StringBuilder json, Map.Entry<String, @Nullable String> header) {
    if (header.getKey() == null) {
      throw new IllegalArgumentException("header name must be not null, got: null");
    }
    JsonString.append(json, header.getKey());
    json.append(':');
    JsonString.append(json, header.getValue());
  }
}
