package outbox.util;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads one flat JSON object of strings and nulls; anything else is refused with its position. */
final class FlatJsonReader {

  private final String json;
  private int position;

  FlatJsonReader(String json) {
    this.json = json;
  }

  Map<String, @Nullable String> object() {
    Map<String, @Nullable String> entries = new LinkedHashMap<>();
    expect('{');
    if (!accept('}')) {
      do {
        String name = string();
        expect(':');
        entries.put(name, value());
      } while (accept(','));
      expect('}');
    }
    skipSpace();
    if (position < json.length()) {
      throw malformed("nothing after the object");
    }
    return entries;
  }

  private @Nullable String value() {
    skipSpace();
    if (json.startsWith("null", position)) {
      position += 4;
      return null;
    }
    return string();
  }

  private String string() {
    expect('"');
    StringBuilder text = new StringBuilder();
    for (char c = next(); c != '"'; c = next()) {
      if (c < 0x20) {
        throw malformed("no control character inside a string");
      }
      text.append(c == '\\' ? escaped() : c);
    }
    return text.toString();
  }

  private char escaped() {
    char c = next();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw malformed("an escape");
    };
  }

  private char unicode() {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      char c = next();
      int digit = c < 0x80 ? Character.digit(c, 16) : -1;
      if (digit < 0) {
        throw malformed("four hexadecimal digits");
      }
      code = code << 4 | digit;
    }
    return (char) code;
  }

  private void expect(char expected) {
    if (!accept(expected)) {
      throw malformed("'" + expected + "'");
    }
  }

  private boolean accept(char expected) {
    skipSpace();
    boolean found = position < json.length() && json.charAt(position) == expected;
    position += found ? 1 : 0;
    return found;
  }

  private char next() {
    if (position == json.length()) {
      throw malformed("the end of the string");
    }
    return json.charAt(position++);
  }

  private void skipSpace() {
    while (position < json.length() && " \t\n\r".indexOf(json.charAt(position)) >= 0) {
      position++;
    }
  }

  /** The text itself stays out of the message: headers can carry what logs must not. */
  private IllegalArgumentException malformed(String expected) {
    return new IllegalArgumentException(
        "headers must be a flat JSON object of strings, got: something else at position %d, where %s was expected"
            .formatted(position, expected));
  }
}
