package outbox.internal;

import outbox.util.Nullable;

/** Writes texts as JSON strings that any reader gives back character by character. */
public final class JsonString {

  private static final String HEX = "0123456789abcdef";

  private JsonString() {}

  /** Appends the text in quotes, or {@code null}. */
  public static void append(StringBuilder json, @Nullable String text) {
    if (text == null) {
      json.append("null");
      return;
    }
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
