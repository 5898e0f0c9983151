package outbox.cloudevents;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a content type says. */
final class MediaType {

  private MediaType() {}

  /** By the specification, none means JSON. */
  static boolean isJson(@Nullable String contentType) {
    if (contentType == null) {
      return true;
    }
    String essence = essence(contentType);
    return essence.endsWith("/json") || essence.endsWith("+json");
  }

  /** Type and subtype without parameters, in lower case. */
  static String essence(String contentType) {
    int parameters = contentType.indexOf(';');
    String essence = parameters < 0 ? contentType : contentType.substring(0, parameters);
    return essence.strip().toLowerCase(Locale.ROOT);
  }
}
