package outbox.jdbc.internal;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.jdbc.JdbcTemplate.Parameter;

/** A text that PostgreSQL reads as whatever type its place in the statement has. */
public record UntypedParameter(@Nullable String text) implements Parameter {

  /** With {@code Z}: exact for timestamptz, while timestamp ignores the zone and so keeps UTC. */
  public static UntypedParameter of(Instant time) {
    return new UntypedParameter(UtcTime.text(time).concat("Z"));
  }

  @Override
  public void bind(PreparedStatement statement, int index) throws SQLException {
    statement.setObject(index, text, Types.OTHER);
  }
}
