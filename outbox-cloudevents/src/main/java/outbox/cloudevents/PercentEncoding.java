package outbox.cloudevents;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The HTTP binding's way with header values: space, double quote, percent and whatever isn't
 * printable ASCII is encoded, and nothing else. (URLEncoder encodes more, and a space as plus.)
 */
final class PercentEncoding {

  private static final String DIGITS = "0123456789ABCDEF";

  private PercentEncoding() {}

  static String encode(String value) {
    if (value.chars().allMatch(PercentEncoding::staysAsItIs)) {
      return value;
    }
    StringBuilder encoded = new StringBuilder(value.length() + 16);
    for (byte one : value.getBytes(StandardCharsets.UTF_8)) {
      if (staysAsItIs(one)) {
        encoded.append((char) one);
      } else {
        encoded.append('%').append(DIGITS.charAt((one >> 4) & 15)).append(DIGITS.charAt(one & 15));
      }
    }
    return encoded.toString();
  }

  /** A percent sign that begins no encoded byte stands for itself, and bytes are UTF-8. */
  static String decode(String value) {
    if (value.indexOf('%') < 0) {
      return value;
    }
    byte[] written = value.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream decoded = new ByteArrayOutputStream(written.length);
    for (int i = 0; i < written.length; i++) {
      int encoded = written[i] == '%' ? encodedByte(written, i) : -1;
      decoded.write(encoded < 0 ? written[i] : encoded);
      i += encoded < 0 ? 0 : 2;
    }
    return decoded.toString(StandardCharsets.UTF_8);
  }

  private static int encodedByte(byte[] written, int at) {
    if (at + 2 >= written.length) {
      return -1;
    }
    int high = Character.digit(written[at + 1], 16);
    int low = Character.digit(written[at + 2], 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static boolean staysAsItIs(int c) {
    return c > 0x20 && c < 0x7f && c != '"' && c != '%';
  }
}
