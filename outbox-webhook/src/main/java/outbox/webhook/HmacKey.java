package outbox.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A secret that sender and receiver share: HMAC with SHA-256. */
final class HmacKey implements SigningKey {

  static final String PREFIX = "whsec_";

  private static final String VERSION = "v1,";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int SHORTEST = 24;
  private static final int LONGEST = 64;

  private final SecretKeySpec secret;

  private HmacKey(SecretKeySpec secret) {
    this.secret = secret;
  }

  static HmacKey of(byte[] secret) {
    Checks.that(
        secret.length >= SHORTEST && secret.length <= LONGEST,
        "a whsec_ key",
        SHORTEST + " to " + LONGEST + " bytes",
        secret.length);
    return new HmacKey(new SecretKeySpec(secret, ALGORITHM));
  }

  @Override
  public boolean signs() {
    return true;
  }

  @Override
  public String sign(byte[] content) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      return VERSION + Base64.getEncoder().encodeToString(mac.doFinal(content));
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every Java has " + ALGORITHM, missing);
    }
  }

  @Override
  public boolean verifies(String signature, byte[] content) {
    return signature.startsWith(VERSION)
        && MessageDigest.isEqual(
            signature.getBytes(StandardCharsets.UTF_8),
            sign(content).getBytes(StandardCharsets.UTF_8));
  }
}
