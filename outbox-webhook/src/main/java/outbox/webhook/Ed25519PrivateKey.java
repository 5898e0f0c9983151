package outbox.webhook;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;

/** The sender's half of a pair of keys. */
final class Ed25519PrivateKey implements SigningKey {

  static final String PREFIX = "whsk_";

  private static final int SEED_LENGTH = 32;

  /** Some libraries write the public key behind the seed. */
  private static final int LENGTH_WITH_PUBLIC_KEY = 64;

  private final PrivateKey key;

  private Ed25519PrivateKey(PrivateKey key) {
    this.key = key;
  }

  static Ed25519PrivateKey of(byte[] bytes) {
    Checks.that(
        bytes.length == SEED_LENGTH || bytes.length == LENGTH_WITH_PUBLIC_KEY,
        "a whsk_ key",
        SEED_LENGTH + " or " + LENGTH_WITH_PUBLIC_KEY + " bytes",
        bytes.length);
    try {
      byte[] seed = Arrays.copyOf(bytes, SEED_LENGTH);
      return new Ed25519PrivateKey(
          KeyFactory.getInstance(Ed25519PublicKey.ALGORITHM)
              .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed)));
    } catch (GeneralSecurityException refused) {
      throw new IllegalArgumentException("a whsk_ key was refused by this Java", refused);
    }
  }

  @Override
  public boolean signs() {
    return true;
  }

  @Override
  public String sign(byte[] content) {
    try {
      Signature signature = Signature.getInstance(Ed25519PublicKey.ALGORITHM);
      signature.initSign(key);
      signature.update(content);
      return Ed25519PublicKey.VERSION + Base64.getEncoder().encodeToString(signature.sign());
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every Java has " + Ed25519PublicKey.ALGORITHM, missing);
    }
  }

  @Override
  public boolean verifies(String signature, byte[] content) {
    return false;
  }
}
