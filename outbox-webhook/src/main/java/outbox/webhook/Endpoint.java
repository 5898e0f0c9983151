package outbox.webhook;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.NonRetryableException;

/**
 * Where a request goes.
 *
 * @param origin scheme, host and port: all that messages tell, because paths often hold secrets
 */
record Endpoint(URI url, String origin) {

  /** What is known of it is known of all its queries. */
  String address() {
    return origin + url.getRawPath();
  }

  /**
   * @throws IllegalArgumentException for a URL that nothing is sent to
   */
  static Endpoint of(String text, boolean allowHttp) {
    URI url = parse(text);
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    boolean isHttp = scheme.equals("http");
    if (isHttp && !allowHttp) {
      throw new IllegalArgumentException(
          "url must be an https URL, got: one of http; allowHttp() permits it");
    }
    Checks.that(isHttp || scheme.equals("https"), "url", "an https URL", "scheme '" + scheme + "'");
    Checks.that(url.getHost() != null, "url", "one with a valid host", "one without");
    Checks.that(url.getRawUserInfo() == null, "url", "free of user and password", "one with them");
    Checks.that(url.getPort() <= 0xFFFF, "the port of url", "at most 65535", url.getPort());
    return new Endpoint(url, originOf(url));
  }

  /** The endpoint of one event; what is wrong with it is wrong with every try. */
  static Endpoint of(@Nullable String text, EventEnvelope event, boolean allowHttp) {
    if (text == null || text.isBlank()) {
      throw new NonRetryableException(
          "event %s of type %s has no URL: the rule gave none; correct the rule and replay it"
              .formatted(event.eventId(), event.eventType()));
    }
    try {
      return of(text, allowHttp);
    } catch (IllegalArgumentException unusable) {
      throw new NonRetryableException(
          "event %s of type %s has a URL that can't be used: %s"
              .formatted(event.eventId(), event.eventType(), unusable.getMessage()));
    }
  }

  static String originOf(URI url) {
    String origin = Objects.requireNonNull(url.getScheme()) + "://" + url.getHost();
    return (url.getPort() < 0 ? origin : origin + ':' + url.getPort()).toLowerCase(Locale.ROOT);
  }

  /** Without the text: a URL may be a secret as a whole. */
  private static URI parse(String text) {
    try {
      URI url = new URI(text);
      return url.getRawFragment() == null ? url : new URI(text.substring(0, text.indexOf('#')));
    } catch (URISyntaxException malformed) {
      throw new IllegalArgumentException(
          "url must be a valid URL, got: one with an error at index " + malformed.getIndex());
    }
  }
}
