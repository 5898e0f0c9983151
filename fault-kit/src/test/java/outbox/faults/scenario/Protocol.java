package outbox.faults.scenario;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;
import outbox.faults.check.Checker;
import outbox.faults.report.Result;
import outbox.faults.world.Server;
import outbox.faults.world.World;

/**
 * Keeps what a scenario showed. It counts as failed from before its preparations until everything
 * that comes after it has succeeded, too: whatever goes wrong, even the end of this process, leaves
 * a result behind that says so.
 */
final class Protocol implements BeforeEachCallback, TestWatcher {

  /** The system property that names the folder for the results of all runs. */
  static final String FOLDER = "outbox.faults.results";

  private static final Pattern NUMBER = Pattern.compile("[A-Z]\\d+");
  private static final Map<Server, String> VERSIONS = new ConcurrentHashMap<>();

  private final Scenario scenario;
  private String load = "";
  private String fault = "";
  private long written;
  private long repeated;
  private Duration converged = Duration.ofNanos(-1);
  private Duration slowest = Duration.ofNanos(-1);
  private long start;

  Protocol(Scenario scenario) {
    this.scenario = scenario;
  }

  /** Who wrote and delivered how much, and what was done to them. */
  void about(String newLoad, String newFault) {
    load = newLoad;
    fault = newFault;
  }

  void judged(Checker checker) {
    judged(checker.written(), checker.repeats().size());
    slowest = checker.slowest();
  }

  /** For what is too large to be checked event by event. */
  void judged(long newWritten, long newRepeated) {
    written = newWritten;
    repeated = newRepeated;
  }

  /** Since the fault; where it has no moment, the time of the slowest event stands for it. */
  void converged(Duration time) {
    converged = time;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    start = System.nanoTime();
    save(context, "", false);
  }

  @Override
  public void testSuccessful(ExtensionContext context) {
    save(context, version(), true);
  }

  @Override
  public void testAborted(ExtensionContext context, Throwable cause) {
    save(context, version(), false);
  }

  @Override
  public void testFailed(ExtensionContext context, Throwable cause) {
    save(context, version(), false);
  }

  /** What a mutant does is no result of the engine's. */
  private void save(ExtensionContext context, String version, boolean passed) {
    if (System.getProperty(World.MUTANT) == null) {
      result(context, version, passed).save(folder());
    }
  }

  private Result result(ExtensionContext context, String version, boolean passed) {
    Matcher number = NUMBER.matcher(scenario.getClass().getSimpleName());
    if (!number.lookingAt()) {
      throw new IllegalStateException("a scenario's name must begin with its number");
    }
    return new Result(
        number.group(),
        words(context.getRequiredTestMethod().getName()),
        scenario.server.toString(),
        version,
        "Java " + Runtime.version(),
        load,
        fault,
        written,
        repeated,
        converged.isNegative() ? slowest : converged,
        Duration.ofNanos(System.nanoTime() - start),
        passed);
  }

  private String version() {
    return VERSIONS.computeIfAbsent(
        scenario.server,
        server -> {
          try {
            return server.version();
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static Path folder() {
    return Path.of(System.getProperty(FOLDER, "target/fault-results"))
        .resolve(System.getProperty("outbox.faults.run", "1"));
  }

  /** A name in camel case as a sentence. */
  private static String words(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ")
        .toLowerCase(Locale.ROOT);
  }
}
