package outbox.internal;

import java.util.BitSet;

/** Decides whether a text is JSON (RFC 8259), at any depth, without building anything from it. */
public final class JsonSyntax {

  private static final char END = '\uffff';

  private final String text;
  private final BitSet inObject = new BitSet();
  private int depth;
  private int position;

  private JsonSyntax(String text) {
    this.text = text;
  }

  public static boolean isJson(String text) {
    return new JsonSyntax(text).document();
  }

  /** Whether the bytes are JSON in UTF-8. */
  public static boolean isJson(byte[] bytes) {
    String text = Utf8.decode(bytes);
    return text != null && isJson(text);
  }

  private boolean document() {
    do {
      if (!valueOrOpening()) {
        return false;
      }
    } while (moreValues());
    return depth == 0 && position == text.length();
  }

  /** Reads a scalar, or an opening bracket and, if the container is empty, its closing one. */
  private boolean valueOrOpening() {
    while (true) {
      skipSpace();
      char c = peek();
      if (c != '{' && c != '[') {
        return scalar(c);
      }
      position++;
      inObject.set(depth++, c == '{');
      skipSpace();
      if (peek() == closing()) {
        return true;
      }
      if (c == '{' && !key()) {
        return false;
      }
    }
  }

  /** Closes what ends here; true when a comma promises another value. */
  private boolean moreValues() {
    while (true) {
      skipSpace();
      if (depth == 0) {
        return false;
      }
      char c = peek();
      if (c == ',') {
        position++;
        return !inObject.get(depth - 1) || key();
      }
      if (c != closing()) {
        return false;
      }
      position++;
      depth--;
    }
  }

  private char closing() {
    return inObject.get(depth - 1) ? '}' : ']';
  }

  private boolean key() {
    skipSpace();
    if (!string()) {
      return false;
    }
    skipSpace();
    return accept(':');
  }

  private boolean scalar(char first) {
    return switch (first) {
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      default -> number();
    };
  }

  private boolean literal(String word) {
    boolean found = text.startsWith(word, position);
    position += found ? word.length() : 0;
    return found;
  }

  private boolean string() {
    if (!accept('"')) {
      return false;
    }
    while (position < text.length()) {
      char c = text.charAt(position++);
      if (c == '"') {
        return true;
      }
      if (c < 0x20 || (c == '\\' && !escape())) {
        return false;
      }
    }
    return false;
  }

  private boolean escape() {
    char c = peek();
    position++;
    if (c != 'u') {
      return "\"\\/bfnrt".indexOf(c) >= 0;
    }
    for (int end = position + 4; position < end; position++) {
      if (Character.digit(peek(), 16) < 0 || peek() > 'f') {
        return false;
      }
    }
    return true;
  }

  private boolean number() {
    accept('-');
    if (!accept('0') && !digits()) {
      return false;
    }
    if (accept('.') && !digits()) {
      return false;
    }
    if (accept('e') || accept('E')) {
      if (!accept('+')) {
        accept('-');
      }
      return digits();
    }
    return true;
  }

  private boolean digits() {
    int start = position;
    while (peek() >= '0' && peek() <= '9') {
      position++;
    }
    return position > start;
  }

  private boolean accept(char expected) {
    boolean found = peek() == expected;
    position += found ? 1 : 0;
    return found;
  }

  private void skipSpace() {
    while (" \t\n\r".indexOf(peek()) >= 0) {
      position++;
    }
  }

  private char peek() {
    return position < text.length() ? text.charAt(position) : END;
  }
}
