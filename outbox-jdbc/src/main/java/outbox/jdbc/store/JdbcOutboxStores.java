package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.OutboxStoreException;
import outbox.util.JsonCodec;

/**
 * Finds the store for a database among all that are registered as services of {@link
 * AbstractJdbcOutboxStore}.
 *
 * <pre>{@code
 * OutboxStore store = JdbcOutboxStores.detect(dataSource);
 * }</pre>
 */
public final class JdbcOutboxStores {

  private static final Pattern SCHEME = Pattern.compile("(?i)jdbc:[a-z0-9+._-]+:");

  private JdbcOutboxStores() {}

  /** Every registered store, with its default settings. */
  public static List<AbstractJdbcOutboxStore> all() {
    Map<Class<?>, AbstractJdbcOutboxStore> stores = new LinkedHashMap<>();
    load(AbstractJdbcOutboxStore.class.getClassLoader(), stores);
    load(Thread.currentThread().getContextClassLoader(), stores);
    return List.copyOf(stores.values());
  }

  /**
   * The store of this name, in any case: {@code h2}, {@code mariadb}, {@code mysql}, {@code
   * postgresql}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static AbstractJdbcOutboxStore get(String name) {
    Objects.requireNonNull(name, "name must not be null");
    return named(name).orElseThrow(() -> unknown("name must be that of a store", name));
  }

  /**
   * The store whose prefix the JDBC URL has.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static AbstractJdbcOutboxStore detect(String jdbcUrl) {
    Objects.requireNonNull(jdbcUrl, "jdbcUrl must not be null");
    return byUrl(jdbcUrl)
        .orElseThrow(() -> unknown("JDBC URL must be of a known database", scheme(jdbcUrl)));
  }

  public static AbstractJdbcOutboxStore detect(String jdbcUrl, JsonCodec jsonCodec) {
    return detect(jdbcUrl).withJsonCodec(jsonCodec);
  }

  /**
   * Asks a connection for its URL and, where a tracing or proxy driver hides that, for the name of
   * the database product.
   *
   * @throws IllegalArgumentException if no store is for that database
   */
  public static AbstractJdbcOutboxStore detect(DataSource dataSource) {
    Objects.requireNonNull(dataSource, "dataSource must not be null");
    try (Connection connection = dataSource.getConnection()) {
      return detect(connection);
    } catch (SQLException e) {
      throw OutboxStoreException.redacted(
          "could not detect the database, because no connection could be asked for it", e);
    }
  }

  public static AbstractJdbcOutboxStore detect(DataSource dataSource, JsonCodec jsonCodec) {
    return detect(dataSource).withJsonCodec(jsonCodec);
  }

  /** Like {@link #detect(DataSource)}, with a connection that stays open. */
  public static AbstractJdbcOutboxStore detect(Connection connection) throws SQLException {
    DatabaseMetaData database = connection.getMetaData();
    String url = database.getURL();
    String product = database.getDatabaseProductName();
    return byUrl(url)
        .or(() -> named(product))
        .orElseThrow(() -> unknown("database must be a known one", product + " at " + scheme(url)));
  }

  private static void load(
      @Nullable ClassLoader loader, Map<Class<?>, AbstractJdbcOutboxStore> stores) {
    ServiceLoader.load(AbstractJdbcOutboxStore.class, loader)
        .forEach(store -> stores.putIfAbsent(store.getClass(), store));
  }

  private static Optional<AbstractJdbcOutboxStore> named(@Nullable String name) {
    return all().stream().filter(store -> store.name().equalsIgnoreCase(name)).findFirst();
  }

  private static Optional<AbstractJdbcOutboxStore> byUrl(@Nullable String url) {
    return url == null
        ? Optional.empty()
        : all().stream().filter(store -> hasPrefix(store, url)).findFirst();
  }

  private static boolean hasPrefix(AbstractJdbcOutboxStore store, String url) {
    return store.jdbcUrlPrefixes().stream()
        .anyMatch(prefix -> url.regionMatches(true, 0, prefix, 0, prefix.length()));
  }

  /**
   * URLs hold passwords, each driver's in a place of its own; the part that every URL has is enough
   * to see which database it is.
   */
  private static String scheme(@Nullable String url) {
    if (url == null) {
      return "an unknown URL";
    }
    Matcher scheme = SCHEME.matcher(url);
    return scheme.lookingAt() ? scheme.group() + "…" : "a text that is no JDBC URL";
  }

  private static IllegalArgumentException unknown(String rule, String value) {
    String known =
        all().stream()
            .map(store -> store.name() + " " + store.jdbcUrlPrefixes())
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException("%s, got: %s; known are: %s".formatted(rule, value, known));
  }
}
