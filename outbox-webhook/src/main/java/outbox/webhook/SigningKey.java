package outbox.webhook;

import java.util.Base64;
import java.util.Objects;

/** One key of a {@link WebhookSignature}. */
interface SigningKey {

  boolean signs();

  /** With the version before it: {@code v1,…}. */
  String sign(byte[] content);

  /** Whether this is a signature of the content; false for versions of other keys. */
  boolean verifies(String signature, byte[] content);

  static SigningKey parse(String key) {
    Objects.requireNonNull(key, "key must not be null");
    if (key.startsWith(HmacKey.PREFIX)) {
      return HmacKey.of(decode(key, HmacKey.PREFIX));
    }
    if (key.startsWith(Ed25519PrivateKey.PREFIX)) {
      return Ed25519PrivateKey.of(decode(key, Ed25519PrivateKey.PREFIX));
    }
    if (key.startsWith(Ed25519PublicKey.PREFIX)) {
      return Ed25519PublicKey.of(decode(key, Ed25519PublicKey.PREFIX));
    }
    throw new IllegalArgumentException(
        "key must be a text that begins with whsec_, whsk_ or whpk_, got: one of "
            + key.length()
            + " characters that doesn't");
  }

  /** A wrong key is a secret all the same, often with one character too few. */
  private static byte[] decode(String key, String prefix) {
    try {
      return Base64.getDecoder().decode(key.substring(prefix.length()));
    } catch (IllegalArgumentException notBase64) {
      throw new IllegalArgumentException(
          "key must be "
              + prefix
              + " and Base64 after it, got: something else of "
              + key.length()
              + " characters");
    }
  }
}
