package outbox.faults.model;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What TLC said about a model.
 *
 * @param broken the invariant or property that doesn't hold
 * @param steps of the behaviour that breaks it
 * @param states how many different ones were found
 * @param seen what the model says it has seen
 */
record Verdict(Optional<String> broken, int steps, long states, List<String> seen, String output) {

  private static final Pattern BROKEN =
      Pattern.compile("Error: (?:Invariant|Action property|Property) (\\w+).* is violated");
  private static final Pattern NOT_LIVELY =
      Pattern.compile("Error: (Temporal properties) were violated");
  private static final Pattern STATE = Pattern.compile("(?m)^State (\\d+): ");
  private static final Pattern STATES =
      Pattern.compile("(\\d+) distinct states found, \\d+ states");
  private static final Pattern SEEN = Pattern.compile("(?m)^\"(.+)\"$");

  static Verdict of(String output) {
    Optional<String> broken =
        first(BROKEN, output).or(() -> first(NOT_LIVELY, output)).map(match -> match.group(1));
    boolean isComplete = output.contains("Model checking completed. No error has been found.");
    if (broken.isEmpty() && !isComplete) {
      throw new IllegalStateException("TLC must come to a verdict, got:\n" + output);
    }
    int behaviour = STATE.matcher(output).results().mapToInt(Verdict::number).max().orElse(1);
    return new Verdict(
        broken,
        behaviour - 1,
        first(STATES, output).map(match -> Long.valueOf(match.group(1))).orElse(0L),
        SEEN.matcher(output).results().map(match -> match.group(1)).distinct().sorted().toList(),
        output);
  }

  private static Optional<MatchResult> first(Pattern pattern, String output) {
    Matcher matcher = pattern.matcher(output);
    return matcher.find() ? Optional.of(matcher.toMatchResult()) : Optional.empty();
  }

  private static int number(MatchResult match) {
    return Integer.parseInt(match.group(1));
  }
}
