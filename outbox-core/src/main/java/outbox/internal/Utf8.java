package outbox.internal;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import outbox.util.Nullable;

/** Looks at text as UTF-8 will have it, without encoding it, and at bytes as it has them. */
public final class Utf8 {

  private Utf8() {}

  /** The text that the bytes are; null if they are none. */
  public static @Nullable String decode(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      return null;
    }
  }

  /** The number of bytes that well-formed text has. */
  public static int length(String text) {
    int length = text.length();
    int bytes = length;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x800) {
        bytes += Character.isSurrogate(c) ? 1 : 2; // a pair is four bytes for two chars
      } else if (c >= 0x80) {
        bytes++;
      }
    }
    return bytes;
  }

  /**
   * Where the first surrogate without its partner stands, or -1. UTF-8 has no bytes for it, so it
   * would come back from a database as something else.
   */
  public static int unpairedSurrogate(String text) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!isPair(text, i)) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  private static boolean isPair(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1));
  }
}
