package outbox.benchmarks.contender;

import java.util.Set;

/** A contender before it is opened: its name, how it is set up, and what it can do. */
public record Entrant(String name, String settings, Set<Completion> completions, Opening opening) {

  /** Opens the contender on a database. */
  @FunctionalInterface
  public interface Opening {
    Contender open(Setup setup) throws Exception;
  }

  public Contender open(Setup setup) throws Exception {
    return opening.open(setup);
  }

  public boolean completesBy(Completion completion) {
    return completions.contains(completion);
  }

  /** The completion to use where the measurement doesn't ask for one: rows are kept if possible. */
  public Completion usualCompletion() {
    return completesBy(Completion.KEEP) ? Completion.KEEP : Completion.DELETE;
  }
}
