package outbox.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SignatureException;
import java.security.interfaces.EdECPrivateKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors are those that the specification's own libraries are tested with. */
class WebhookSignatureTest {

  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String OTHER_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
  private static final String PRIVATE_KEY = "whsk_VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk=";
  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final Instant SENT = Instant.ofEpochSecond(1614265330);
  private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(UTF_8);
  private static final String VECTOR = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
  private static final String ASYMMETRIC_VECTOR =
      "v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==";

  @Test
  void signsThePublishedVectors() {
    assertThat(WebhookSignature.of(SECRET).sign(ID, SENT, BODY)).isEqualTo(VECTOR);
    assertThat(WebhookSignature.of(PRIVATE_KEY).sign(ID, SENT, BODY)).isEqualTo(ASYMMETRIC_VECTOR);
  }

  @Test
  void signsWithEveryKeyAndASpaceBetween() {
    String signature = WebhookSignature.of(SECRET, PRIVATE_KEY).sign(ID, SENT, BODY);

    assertThat(signature).isEqualTo(VECTOR + ' ' + ASYMMETRIC_VECTOR);
  }

  @Test
  void theLibraryOfTheSpecificationAcceptsWhatIsSigned() throws Exception {
    Instant now = Instant.now();
    String signature = WebhookSignature.of(SECRET, OTHER_SECRET).sign(ID, now, BODY);

    for (String secret : List.of(SECRET, OTHER_SECRET)) {
      assertThatCode(() -> new Webhook(secret).verify(text(BODY), lists(headers(now, signature))))
          .doesNotThrowAnyException();
    }
    assertThatThrownBy(() -> new Webhook(SECRET).verify("{}", lists(headers(now, signature))))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @Test
  void acceptsWhatTheLibraryOfTheSpecificationSigns() throws Exception {
    String signature = new Webhook(SECRET).sign(ID, SENT.getEpochSecond(), text(BODY));

    verifies(WebhookSignature.of(OTHER_SECRET, SECRET), headers(SENT, signature), BODY);
  }

  @Test
  void acceptsAnySignatureOfAnyKeyAndPassesOverOthers() {
    String signatures =
        "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,what v1a,==, v1, "
            + VECTOR
            + " nonsense";

    verifies(WebhookSignature.of(OTHER_SECRET, SECRET), headers(SENT, signatures), BODY);
  }

  @Test
  void aPublicKeyVerifiesWhatItsPrivateKeySigns() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] seed = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
    byte[] encoded = pair.getPublic().getEncoded();
    byte[] point = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    byte[] both = Arrays.copyOf(seed, 64);
    System.arraycopy(point, 0, both, 32, 32);
    WebhookSignature receiver = WebhookSignature.of("whpk_" + base64(point));

    String signature = WebhookSignature.of("whsk_" + base64(seed)).sign(ID, SENT, BODY);

    assertThat(WebhookSignature.of("whsk_" + base64(both)).sign(ID, SENT, BODY))
        .isEqualTo(signature);
    verifies(receiver, headers(SENT, signature), BODY);
    refuses(receiver, headers(SENT, signature), "{}".getBytes(UTF_8), "known key");
    refuses(receiver, headers(SENT, ASYMMETRIC_VECTOR), BODY, "known key");
    assertThatIllegalStateException().isThrownBy(() -> receiver.sign(ID, SENT, BODY));
  }

  @Test
  void whatWasChangedIsRefused() {
    WebhookSignature receiver = WebhookSignature.of(SECRET);

    refuses(receiver, headers(SENT, VECTOR), "{\"test\": 1}".getBytes(UTF_8), "known key");
    refuses(receiver, headers(SENT.plusSeconds(1), VECTOR), BODY, "known key");
    refuses(WebhookSignature.of(OTHER_SECRET), headers(SENT, VECTOR), BODY, "known key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhook-id", "webhook-timestamp", "webhook-signature"})
  void withoutAHeaderNothingIsTrusted(String name) {
    Map<String, String> headers = headers(SENT, VECTOR);
    headers.remove(name);

    refuses(WebhookSignature.of(SECRET), headers, BODY, name);
  }

  @ParameterizedTest
  @ValueSource(longs = {-301, 301})
  void whatIsTooOldOrFromTheFutureIsRefused(long seconds) {
    Clock clock = Clock.fixed(SENT.plusSeconds(seconds), ZoneOffset.UTC);
    WebhookSignature receiver = WebhookSignature.of(SECRET).clock(clock);

    assertThatThrownBy(() -> receiver.verify(headers(SENT, VECTOR)::get, BODY))
        .isInstanceOf(SignatureException.class)
        .hasMessageContaining("at most 300 s away from now");
    assertThatCode(
            () ->
                receiver
                    .tolerance(Duration.ofSeconds(301))
                    .verify(headers(SENT, VECTOR)::get, BODY))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"now", "", "99999999999999999999", "9223372036854775807"})
  void aTimestampIsANumberOfSeconds(String timestamp) {
    Map<String, String> headers = headers(SENT, VECTOR);
    headers.put(WebhookSignature.TIMESTAMP, timestamp);

    refuses(WebhookSignature.of(SECRET), headers, BODY, "webhook-timestamp");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whsec_MfKQ9r8GKYqrTwjUPD8I!PZIo2LaLaSw",
        "whsec_MfKQ9r8GKYqrTwjU",
        "whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
      })
  void aWrongKeyIsRefusedAndNotTold(String key) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WebhookSignature.of(key))
        .withMessageContaining("must be")
        .withMessageNotContaining("MfKQ9r8G");
  }

  @Test
  void tellsNoKey() {
    assertThat(WebhookSignature.of(SECRET)).hasToString("WebhookSignature[1 keys]");
  }

  private static void verifies(
      WebhookSignature receiver, Map<String, String> headers, byte[] body) {
    assertThatCode(() -> then(receiver).verify(headers::get, body)).doesNotThrowAnyException();
  }

  private static void refuses(
      WebhookSignature receiver, Map<String, String> headers, byte[] body, String why) {
    assertThatThrownBy(() -> then(receiver).verify(headers::get, body))
        .isInstanceOf(SignatureException.class)
        .hasMessageContaining(why);
  }

  /** The same keys, when the vectors were made. */
  private static WebhookSignature then(WebhookSignature receiver) {
    return receiver.clock(Clock.fixed(SENT, ZoneOffset.UTC));
  }

  private static Map<String, String> headers(Instant sent, String signature) {
    Map<String, String> headers = new HashMap<>();
    headers.put(WebhookSignature.ID, ID);
    headers.put(WebhookSignature.TIMESTAMP, Long.toString(sent.getEpochSecond()));
    headers.put(WebhookSignature.SIGNATURE, signature);
    return headers;
  }

  private static Map<String, List<String>> lists(Map<String, String> headers) {
    Map<String, List<String>> lists = new HashMap<>();
    headers.forEach((name, value) -> lists.put(name, List.of(value)));
    return lists;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
