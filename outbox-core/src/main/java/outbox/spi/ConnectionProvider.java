package outbox.spi;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Hands out short-lived connections for work outside the business transaction; whoever asks closes.
 *
 * <p>Auto-commit may be on or off: what runs on such a connection is committed either way.
 */
@FunctionalInterface
public interface ConnectionProvider {

  Connection getConnection() throws SQLException;
}
