package outbox.webhook;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SignatureException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Signs and verifies messages as <a href="https://www.standardwebhooks.com">Standard Webhooks</a>
 * does: what it verifies was signed with one of its keys, a short time ago, and has not been
 * changed. Immutable; safe for all threads.
 *
 * <p>Keys are texts as that specification has them:
 *
 * <ul>
 *   <li>{@code whsec_…}, a secret of 24 to 64 bytes that both sides have: signs and verifies.
 *   <li>{@code whsk_…}, a private Ed25519 key: signs.
 *   <li>{@code whpk_…}, its public key: verifies.
 * </ul>
 *
 * <p>With several keys a message gets a signature of each that signs, and is accepted if any
 * signature is one of any key that verifies. So keys are replaced without a gap: sign with the old
 * and the new one, give receivers the new one, and then leave out the old one.
 *
 * <p>For a receiver:
 *
 * <pre>{@code
 * WebhookSignature signature = WebhookSignature.of("whsec_…");
 * signature.verify(request::getHeader, body); // throws SignatureException
 * }</pre>
 */
public final class WebhookSignature {

  /** The id of the event, the same at every try: what a receiver tells repetitions by. */
  public static final String ID = "webhook-id";

  /** When the try was made, in seconds since 1970. */
  public static final String TIMESTAMP = "webhook-timestamp";

  /** One signature or more, with spaces between them. */
  public static final String SIGNATURE = "webhook-signature";

  /** How old, or how far ahead, a message may be unless one says otherwise. */
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  private final List<SigningKey> keys;
  private final Duration tolerance;
  private final Clock clock;

  private WebhookSignature(List<SigningKey> keys, Duration tolerance, Clock clock) {
    this.keys = keys;
    this.tolerance = tolerance;
    this.clock = clock;
  }

  /**
   * Signs and verifies with these keys.
   *
   * @throws IllegalArgumentException for a text that is no key; the message doesn't tell it
   */
  public static WebhookSignature of(String... keys) {
    Checks.that(keys.length > 0, "keys", "at least one", 0);
    List<SigningKey> parsed = new ArrayList<>();
    for (String key : keys) {
      parsed.add(SigningKey.parse(key));
    }
    return new WebhookSignature(List.copyOf(parsed), TOLERANCE, Clock.systemUTC());
  }

  /** The same keys, and another limit to the age of a message; {@link #TOLERANCE} if not set. */
  public WebhookSignature tolerance(Duration tolerance) {
    Checks.that(!tolerance.isNegative(), "tolerance", "zero or positive", tolerance);
    return new WebhookSignature(keys, tolerance, clock);
  }

  /** The same keys, and another clock to judge the age of a message by. */
  public WebhookSignature clock(Clock clock) {
    return new WebhookSignature(keys, tolerance, Objects.requireNonNull(clock));
  }

  /**
   * The value of {@link #SIGNATURE} for a message.
   *
   * @throws IllegalStateException if none of the keys signs
   */
  public String sign(String id, Instant timestamp, byte[] body) {
    byte[] content = content(id, Long.toString(timestamp.getEpochSecond()), body);
    List<String> signatures = new ArrayList<>();
    for (SigningKey key : keys) {
      if (key.signs()) {
        signatures.add(key.sign(content));
      }
    }
    if (signatures.isEmpty()) {
      throw new IllegalStateException(
          "none of the keys can sign; give a whsec_ or whsk_ key, whpk_ keys only verify");
    }
    return String.join(" ", signatures);
  }

  /**
   * Returns if the message is to be trusted.
   *
   * @param header gives the value of a header, whatever the case of its name; null without one
   * @param body byte for byte as it was received
   * @throws SignatureException if a header is missing or malformed, the message is too old or from
   *     the future, or no signature is one of these keys
   */
  public void verify(HeaderLookup header, byte[] body) throws SignatureException {
    String id = required(header, ID);
    String timestamp = required(header, TIMESTAMP);
    String signatures = required(header, SIGNATURE);
    requireRecent(timestamp);
    byte[] content = content(id, timestamp, body);
    for (String signature : signatures.split(" ", -1)) {
      for (SigningKey key : keys) {
        if (key.verifies(signature, content)) {
          return;
        }
      }
    }
    throw new SignatureException("no signature of message " + id + " was made with a known key");
  }

  /** Names the number of keys and none of them. */
  @Override
  public String toString() {
    return "WebhookSignature[" + keys.size() + " keys]";
  }

  boolean canSign() {
    return keys.stream().anyMatch(SigningKey::signs);
  }

  private void requireRecent(String timestamp) throws SignatureException {
    Instant sent = instant(timestamp);
    Duration age = Duration.between(sent, clock.instant());
    if (age.abs().compareTo(tolerance) > 0) {
      throw new SignatureException(
          TIMESTAMP
              + " must be at most "
              + tolerance.toSeconds()
              + " s away from now, got: "
              + (age.isNegative() ? "one ahead by " : "one of ")
              + age.abs().toSeconds()
              + " s"
              + (age.isNegative() ? "" : " ago"));
    }
  }

  private static Instant instant(String timestamp) throws SignatureException {
    try {
      return Instant.ofEpochSecond(Long.parseLong(timestamp));
    } catch (RuntimeException malformed) {
      throw new SignatureException(TIMESTAMP + " must be seconds since 1970", malformed);
    }
  }

  private static String required(HeaderLookup header, String name) throws SignatureException {
    String value = header.value(name);
    if (value == null || value.isEmpty()) {
      throw new SignatureException("header " + name + " is missing");
    }
    return value;
  }

  private static byte[] content(String id, String timestamp, byte[] body) {
    byte[] before = (id + '.' + timestamp + '.').getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream content = new ByteArrayOutputStream(before.length + body.length);
    content.writeBytes(before);
    content.writeBytes(body);
    return content.toByteArray();
  }

  /** Where a receiver has its headers; {@code request::getHeader} of a servlet, for one. */
  @FunctionalInterface
  public interface HeaderLookup {

    @Nullable String value(String name);
  }
}
