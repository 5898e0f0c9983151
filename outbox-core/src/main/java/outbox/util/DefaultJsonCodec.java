package outbox.util;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads and writes flat JSON objects of strings without any library; safe for all threads. */
public final class DefaultJsonCodec implements JsonCodec {

  static final DefaultJsonCodec INSTANCE = new DefaultJsonCodec();

  private static final String HEX = "0123456789abcdef";

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
    quote(json, header.getKey());
    json.append(':');
    String value = header.getValue();
    if (value == null) {
      json.append("null");
    } else {
      quote(json, value);
    }
  }

  private static void quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      escape(json, text.charAt(i));
    }
    json.append('"');
  }

  private static void escape(StringBuilder json, char c) {
    switch (c) {
      case '"' -> json.append("\\\"");
      case '\\' -> json.append("\\\\");
      case '\n' -> json.append("\\n");
      case '\r' -> json.append("\\r");
      case '\t' -> json.append("\\t");
      default -> {
        // Unpaired surrogates have no UTF-8 form, so they travel as escapes like control
        // characters.
        if (c < 0x20 || Character.isSurrogate(c)) {
          unicode(json, c);
        } else {
          json.append(c);
        }
      }
    }
  }

  private static void unicode(StringBuilder json, char c) {
    json.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      json.append(HEX.charAt((c >> shift) & 15));
    }
  }
}
