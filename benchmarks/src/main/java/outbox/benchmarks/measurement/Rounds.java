package outbox.benchmarks.measurement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.benchmarks.contender.Entrant;
import outbox.benchmarks.contender.Entrants;

/**
 * Runs trials in turn, one of each contender per round, so that a slow minute of the machine slows
 * all of them; each round begins with another one, so that nobody always comes after the same.
 */
final class Rounds<T> {

  /** One contender, once. */
  @FunctionalInterface
  interface Trial<T> {
    T run(Entrant entrant) throws Exception;
  }

  private final Map<String, List<T>> results = new LinkedHashMap<>();
  private final Map<String, String> failures = new LinkedHashMap<>();

  private Rounds() {}

  static <T> Rounds<T> interleaved(Lab lab, String what, List<Entrant> entrants, Trial<T> trial)
      throws Exception {
    return new Rounds<T>().run(lab, lab.rounds(), what, entrants, trial);
  }

  /** With a trial before the first round that doesn't count. */
  static <T> Rounds<T> warmedUp(
      Lab lab, String what, List<Entrant> entrants, Trial<T> warmUp, Trial<T> trial)
      throws Exception {
    return warmedUp(lab, lab.rounds(), what, entrants, warmUp, trial);
  }

  /** The same with a number of rounds of its own. */
  static <T> Rounds<T> warmedUp(
      Lab lab, int count, String what, List<Entrant> entrants, Trial<T> warmUp, Trial<T> trial)
      throws Exception {
    Rounds<T> rounds = new Rounds<>();
    for (Entrant entrant : entrants) {
      rounds.attempt(entrant, warmUp);
    }
    rounds.results.clear();
    return rounds.run(lab, count, what, entrants, trial);
  }

  private Rounds<T> run(Lab lab, int count, String what, List<Entrant> entrants, Trial<T> trial)
      throws Exception {
    List<Entrant> turns = new ArrayList<>(entrants);
    for (int round = 1; round <= count; round++) {
      for (Entrant entrant : turns) {
        if (!failures.containsKey(entrant.name())) {
          T result = attempt(entrant, trial);
          if (result != null) {
            lab.say("  %s, round %d, %s: %s", what, round, entrant.name(), result);
          }
        }
      }
      Collections.rotate(turns, 1);
    }
    return this;
  }

  /** In the order of the rounds; empty if the contender failed. */
  List<T> of(String contender) {
    return results.getOrDefault(contender, List.of());
  }

  String failureOf(String contender) {
    return failures.getOrDefault(contender, "");
  }

  /** A peer that fails is out of the measurement; raw JDBC and we must not fail. */
  private @Nullable T attempt(Entrant entrant, Trial<T> trial) throws Exception {
    try {
      T result = trial.run(entrant);
      results.computeIfAbsent(entrant.name(), name -> new ArrayList<>()).add(result);
      return result;
    } catch (Exception e) {
      if (entrant.name().equals(Entrants.RAW) || entrant.name().startsWith(Entrants.OURS)) {
        throw e;
      }
      e.printStackTrace();
      results.remove(entrant.name());
      failures.put(entrant.name(), "it failed: " + e);
      return null;
    }
  }
}
