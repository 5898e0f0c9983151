package outbox.testing.databases;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JDBC URL in its parts, so that another database or driver can be put in. */
record JdbcUrl(String scheme, String address, String database, String parameters) {
  private static final Pattern FORM = Pattern.compile("jdbc:(\\w+)://([^/?]+)/([^/?]+)(\\?.*)?");

  static JdbcUrl local(String scheme, int port, String database, String user) {
    return new JdbcUrl(scheme, "127.0.0.1:" + port, database, "?user=" + user);
  }

  /** Parses what the engine's environment variable holds. */
  static JdbcUrl parse(String url, Engine engine) {
    Matcher parts = FORM.matcher(url);
    if (!parts.matches() || !engine.scheme().equals(parts.group(1))) {
      throw new DatabaseUnavailableException(
          "%s must be jdbc:%s://host:port/database?user=…&password=…, got: %s"
              .formatted(engine.urlVariable(), engine.scheme(), withoutParameters(url)));
    }
    String parameters = parts.group(4);
    return new JdbcUrl(
        parts.group(1), parts.group(2), parts.group(3), parameters == null ? "" : parameters);
  }

  JdbcUrl withDatabase(String other) {
    return new JdbcUrl(scheme, address, other, parameters);
  }

  JdbcUrl withScheme(String other) {
    return new JdbcUrl(other, address, database, parameters);
  }

  /** The whole URL, as a driver takes it. */
  String text() {
    return "jdbc:" + scheme + "://" + address + "/" + database + parameters;
  }

  /** The URL for messages: without parameters, among which the password is. */
  @Override
  public String toString() {
    return withoutParameters(text());
  }

  private static String withoutParameters(String url) {
    return url.replaceFirst("(?s)\\?.*", "");
  }
}
