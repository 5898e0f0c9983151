package outbox.webhook;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The lines in front of a body of HTTP/1.1: the first one, and the fields. */
record Head(String start, List<Field> fields) {

  private static final int LONGEST = 1 << 20;

  record Field(String name, String value) {

    boolean is(String other) {
      return name.equalsIgnoreCase(other);
    }
  }

  static Head read(InputStream in) throws IOException {
    int[] budget = {LONGEST};
    String start = line(in, budget);
    List<Field> fields = new ArrayList<>();
    for (String line = line(in, budget); !line.isEmpty(); line = line(in, budget)) {
      int colon = line.indexOf(':');
      if (colon <= 0 || Character.isWhitespace(line.charAt(0))) {
        throw new IOException("a header of the answer is malformed");
      }
      fields.add(new Field(line.substring(0, colon), line.substring(colon + 1).strip()));
    }
    return new Head(start, List.copyOf(fields));
  }

  @Nullable String value(String name) {
    for (Field field : fields) {
      if (field.is(name)) {
        return field.value();
      }
    }
    return null;
  }

  /** As it goes over a connection that ends after this message. */
  byte[] bytesForLastMessage(String newStart) {
    StringBuilder text = new StringBuilder(newStart).append("\r\n");
    for (Field field : fields) {
      if (!concernsConnection(field)) {
        text.append(field.name()).append(": ").append(field.value()).append("\r\n");
      }
    }
    return text.append("Connection: close\r\n\r\n")
        .toString()
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static boolean concernsConnection(Field field) {
    return field.is("connection")
        || field.is("keep-alive")
        || field.name().toLowerCase(Locale.ROOT).startsWith("proxy-");
  }

  private static String line(InputStream in, int[] budget) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection ended within the headers");
      }
      if (--budget[0] < 0) {
        throw new IOException("the headers are longer than " + LONGEST + " bytes");
      }
      line.append((char) next);
    }
    int end = line.length() - 1;
    return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
  }
}
