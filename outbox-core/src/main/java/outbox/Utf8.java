package outbox;

/** Measures text in UTF-8 without encoding it. */
final class Utf8 {

  private Utf8() {}

  /** The number of bytes that {@link String#getBytes} would make, unpaired surrogates included. */
  static int length(String text) {
    int length = text.length();
    int bytes = length;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x800) {
        if (isPair(text, i)) {
          bytes += 2; // four bytes for two chars
          i++;
        } else {
          bytes += Character.isSurrogate(c) ? 0 : 2; // an unpaired surrogate is encoded as '?'
        }
      } else if (c >= 0x80) {
        bytes++;
      }
    }
    return bytes;
  }

  private static boolean isPair(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1));
  }
}
