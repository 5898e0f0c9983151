package outbox.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The same thing measured in every round, in the order of the rounds. */
public record Samples(List<Double> rounds) {

  public Samples {
    rounds = List.copyOf(rounds);
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("rounds must not be empty");
    }
  }

  public static Samples of(double... rounds) {
    return new Samples(Arrays.stream(rounds).boxed().toList());
  }

  public double median() {
    return median(rounds);
  }

  /** The median of the ratios round by round, so that a slow minute slows both sides. */
  public double ratioTo(Samples reference) {
    return median(ratiosTo(reference));
  }

  /** Round by round. */
  public List<Double> ratiosTo(Samples reference) {
    int common = Math.min(rounds.size(), reference.rounds.size());
    return IntStream.range(0, common)
        .mapToObj(round -> rounds.get(round) / reference.rounds.get(round))
        .toList();
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
