package outbox.internal;

import java.util.regex.Pattern;

/** RFC 8259 by regular expressions: what is innermost is replaced until one value is left. */
final class JsonGrammar {

  private static final String SPACE = "[ \\t\\n\\r]*";
  private static final Pattern STRING =
      Pattern.compile(
          "\"(?:[\\x20\\x21\\x23-\\x5B\\x5D-\\x{10FFFF}&&[^\"\\\\]]|\\\\[\"\\\\/bfnrt]|\\\\u[0-9A-Fa-f]{4})*\"");
  private static final Pattern SCALAR =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null");

  /** V is a value that isn't a string, S is a string; the text can't contain them by then. */
  private static final Pattern CONTAINER =
      Pattern.compile(
          "\\[w(?:[VS]w(?:,w[VS]w)*)?\\]|\\{w(?:Sw:w[VS]w(?:,wSw:w[VS]w)*)?\\}"
              .replace("w", SPACE));

  private JsonGrammar() {}

  static boolean isJson(String text) {
    StringBuilder tokens = new StringBuilder();
    for (int at = 0; at < text.length(); ) {
      int end = end(STRING, text, at);
      if (end > at) {
        tokens.append('S');
        at = end;
        continue;
      }
      end = end(SCALAR, text, at);
      if (end > at) {
        // Two scalars without anything between them are none, and stay two.
        tokens.append('V');
        at = end;
        continue;
      }
      if ("[]{},: \t\n\r".indexOf(text.charAt(at)) < 0) {
        return false;
      }
      tokens.append(text.charAt(at++));
    }
    return isValue(tokens.toString());
  }

  private static boolean isValue(String tokens) {
    String before = "";
    String now = tokens;
    while (!now.equals(before)) {
      before = now;
      now = CONTAINER.matcher(now).replaceAll("V");
    }
    return now.strip().length() == 1 && "VS".contains(now.strip());
  }

  private static int end(Pattern token, String text, int from) {
    var matcher = token.matcher(text).region(from, text.length());
    return matcher.lookingAt() ? matcher.end() : from;
  }
}
