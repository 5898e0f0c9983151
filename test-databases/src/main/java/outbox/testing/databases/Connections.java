package outbox.testing.databases;

/**
 * The four ways an application may hand out connections, as an axis for parameterized tests.
 *
 * <pre>{@code
 * @ParameterizedClass
 * @EnumSource
 * abstract class StoreContract {
 *   @Parameter Connections connections;
 * }
 * }</pre>
 */
public enum Connections {
  /** A new physical connection each time, auto-commit on. */
  PLAIN(false, true),
  /** From a pool, auto-commit on. */
  POOLED(true, true),
  /** A new physical connection each time, auto-commit off. */
  PLAIN_AUTO_COMMIT_OFF(false, false),
  /** From a pool, auto-commit off. */
  POOLED_AUTO_COMMIT_OFF(true, false);

  private final boolean pooled;
  private final boolean autoCommit;

  Connections(boolean pooled, boolean autoCommit) {
    this.pooled = pooled;
    this.autoCommit = autoCommit;
  }

  /** Whether {@code close()} gives the connection back instead of ending it. */
  public boolean pooled() {
    return pooled;
  }

  /** The auto-commit mode a connection starts with. */
  public boolean autoCommit() {
    return autoCommit;
  }
}
