package outbox.jdbc.internal;

import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import outbox.jdbc.OutboxStoreException;

/** What a database takes the parameters of a statement for, by its own names of types. */
public final class ParameterTypes {

  private ParameterTypes() {}

  /** Asks without executing the statement, and so without the rights that this would need. */
  public static List<String> of(Connection connection, String sql) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      ParameterMetaData parameters = statement.getParameterMetaData();
      List<String> types = new ArrayList<>();
      for (int i = 1; i <= parameters.getParameterCount(); i++) {
        types.add(parameters.getParameterTypeName(i));
      }
      return types;
    } catch (SQLException e) {
      throw OutboxStoreException.redacted("statement failed: " + sql.strip(), e);
    }
  }
}
