package outbox.webhook;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Base64;

/** The receiver's half of a pair of keys. */
final class Ed25519PublicKey implements SigningKey {

  static final String PREFIX = "whpk_";
  static final String VERSION = "v1a,";
  static final String ALGORITHM = "Ed25519";

  private static final int LENGTH = 32;
  private static final int SIGN_BIT = 0x80;

  private final PublicKey key;

  private Ed25519PublicKey(PublicKey key) {
    this.key = key;
  }

  static Ed25519PublicKey of(byte[] bytes) {
    Checks.that(bytes.length == LENGTH, "a whpk_ key", LENGTH + " bytes", bytes.length);
    try {
      return new Ed25519PublicKey(
          KeyFactory.getInstance(ALGORITHM)
              .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point(bytes))));
    } catch (GeneralSecurityException refused) {
      throw new IllegalArgumentException("a whpk_ key must be a point of the curve", refused);
    }
  }

  /** As RFC 8032 writes it: y with its lowest byte first, and the highest bit says of x. */
  private static EdECPoint point(byte[] bytes) {
    byte[] y = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      y[i] = bytes[LENGTH - 1 - i];
    }
    boolean xIsOdd = (y[0] & SIGN_BIT) != 0;
    y[0] &= (byte) ~SIGN_BIT;
    return new EdECPoint(xIsOdd, new BigInteger(1, y));
  }

  @Override
  public boolean signs() {
    return false;
  }

  @Override
  public String sign(byte[] content) {
    throw new IllegalStateException("a public key can't sign");
  }

  @Override
  public boolean verifies(String signature, byte[] content) {
    if (!signature.startsWith(VERSION)) {
      return false;
    }
    try {
      Signature check = Signature.getInstance(ALGORITHM);
      check.initVerify(key);
      check.update(content);
      return check.verify(Base64.getDecoder().decode(signature.substring(VERSION.length())));
    } catch (GeneralSecurityException | IllegalArgumentException malformed) {
      return false;
    }
  }
}
