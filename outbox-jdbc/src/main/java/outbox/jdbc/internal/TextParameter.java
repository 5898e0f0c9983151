package outbox.jdbc.internal;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.JdbcTemplate.Parameter;

/**
 * A text or none, of the same type either way: PostgreSQL's driver prepares a statement anew when
 * the type of a parameter changes, and a null by itself has none.
 */
public record TextParameter(@Nullable String text) implements Parameter {

  @Override
  public void bind(PreparedStatement statement, int index) throws SQLException {
    statement.setString(index, text);
  }
}
