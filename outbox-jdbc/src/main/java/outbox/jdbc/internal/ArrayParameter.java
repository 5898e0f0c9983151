package outbox.jdbc.internal;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.stream.Collectors;
import outbox.jdbc.JdbcTemplate.Parameter;

/** An array in PostgreSQL's own notation, which takes the type of the column it is compared to. */
record ArrayParameter(String text) implements Parameter {

  static ArrayParameter of(Collection<?> values) {
    return new ArrayParameter(
        values.stream().map(ArrayParameter::quoted).collect(Collectors.joining(",", "{", "}")));
  }

  @Override
  public void bind(PreparedStatement statement, int index) throws SQLException {
    new UntypedParameter(text).bind(statement, index);
  }

  private static String quoted(Object value) {
    String text =
        String.valueOf(value instanceof UntypedParameter untyped ? untyped.text() : value);
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
