package outbox.faults.scenario;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import outbox.faults.check.Checker;
import outbox.faults.report.Result;

/** Keeps what a scenario showed, whether it passed or not. */
final class Protocol implements BeforeTestExecutionCallback, AfterTestExecutionCallback {

  private static final Path FOLDER =
      Path.of("target", "fault-results", System.getProperty("outbox.faults.run", "1"));

  private static final Pattern NUMBER = Pattern.compile("[A-Z]\\d+");

  private final Scenario scenario;
  private String load = "";
  private String fault = "";
  private long written;
  private long repeated;
  private Duration converged = Duration.ofNanos(-1);
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
    written = checker.written();
    repeated = checker.repeats().size();
  }

  void converged(Duration time) {
    converged = time;
  }

  @Override
  public void beforeTestExecution(ExtensionContext context) {
    start = System.nanoTime();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) throws SQLException {
    Matcher number = NUMBER.matcher(scenario.getClass().getSimpleName());
    if (!number.lookingAt()) {
      throw new IllegalStateException("a scenario's name must begin with its number");
    }
    new Result(
            number.group(),
            words(context.getRequiredTestMethod().getName()),
            scenario.server.toString(),
            scenario.server.version(),
            load,
            fault,
            written,
            repeated,
            converged,
            Duration.ofNanos(System.nanoTime() - start),
            context.getExecutionException().isEmpty())
        .save(FOLDER);
  }

  /** A name in camel case as a sentence. */
  private static String words(String name) {
    return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ")
        .toLowerCase(Locale.ROOT);
  }
}
