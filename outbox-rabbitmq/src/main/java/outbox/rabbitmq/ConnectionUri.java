package outbox.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;

/** Reads a URI that has a password in it, which no message may tell. */
final class ConnectionUri {

  private ConnectionUri() {}

  static void apply(String text, ConnectionFactory factory) {
    URI uri = parsed(text);
    try {
      factory.setUri(uri);
      if ("amqps".equals(uri.getScheme())) {
        // What setUri alone gives trusts every certificate.
        factory.useSslProtocol(trustedContext());
        factory.enableHostnameVerification();
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw refusal();
    }
  }

  private static SSLContext trustedContext() throws NoSuchAlgorithmException {
    return SSLContext.getDefault();
  }

  private static URI parsed(String text) {
    try {
      URI uri = new URI(text);
      boolean isKnown = "amqp".equals(uri.getScheme()) || "amqps".equals(uri.getScheme());
      if (isKnown && uri.getHost() != null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Its message quotes the text.
    }
    throw refusal();
  }

  private static IllegalArgumentException refusal() {
    return new IllegalArgumentException(
        "uri must be like amqp://user:password@host:5672/virtual-host or amqps://…, got: another"
            + " form, which is not told because of its password; characters such as / @ : % in"
            + " user or password have to be percent-encoded");
  }
}
