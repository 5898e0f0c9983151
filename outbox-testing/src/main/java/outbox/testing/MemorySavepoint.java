package outbox.testing;

import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/** A place in the changes of one transaction of a {@link MemoryTable}. */
final class MemorySavepoint implements Savepoint {

  private final int changes;
  private final @Nullable String name;

  MemorySavepoint(int changes, @Nullable String name) {
    this.changes = changes;
    this.name = name;
  }

  /** How many changes the transaction had made. */
  int changes() {
    return changes;
  }

  @Override
  public int getSavepointId() throws SQLException {
    if (name != null) {
      throw new SQLException("the savepoint has a name, and so no id: " + name);
    }
    return changes;
  }

  @Override
  public String getSavepointName() throws SQLException {
    if (name == null) {
      throw new SQLException("the savepoint has no name");
    }
    return name;
  }
}
