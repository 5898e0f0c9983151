package outbox.testing.databases;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A server that starts when first asked for, once; a failed start is reported, not repeated. */
final class SharedServer implements Supplier<JdbcUrl> {
  private final Engine engine;
  private @Nullable JdbcUrl url;
  private @Nullable DatabaseUnavailableException failure;

  SharedServer(Engine engine) {
    this.engine = engine;
  }

  @Override
  public synchronized JdbcUrl get() {
    if (failure != null) {
      throw new DatabaseUnavailableException("earlier, " + failure.getMessage(), failure);
    }
    if (url == null) {
      url = start();
    }
    return url;
  }

  private JdbcUrl start() {
    try {
      return new DatabaseServer.Builder(engine).start().jdbcUrl();
    } catch (DatabaseUnavailableException e) {
      failure = e;
      throw e;
    }
  }
}
