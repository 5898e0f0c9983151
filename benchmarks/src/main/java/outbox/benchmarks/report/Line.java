package outbox.benchmarks.report;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One line of the table: what one contender reached in one measurement.
 *
 * @param rounds in their order; empty if it was not measured
 * @param ratio to the reference that {@code bar} or {@code note} names
 */
public record Line(
    String measurement,
    String what,
    String contender,
    String unit,
    List<Double> rounds,
    @Nullable Double ratio,
    String bar,
    Verdict verdict,
    String note) {

  public Line {
    rounds = List.copyOf(rounds);
  }

  public static Line of(
      String measurement, String what, String contender, String unit, Samples samples) {
    return new Line(
        measurement, what, contender, unit, samples.rounds(), null, "", Verdict.NO_BAR, "");
  }

  public static Line notMeasured(String measurement, String what, String contender, String why) {
    return new Line(
        measurement, what, contender, "", List.of(), null, "", Verdict.NOT_MEASURED, why);
  }

  /** The same line with its ratio to a reference. */
  public Line comparedTo(Samples reference) {
    return withRatio(new Samples(rounds).ratioTo(reference));
  }

  public Line withRatio(double newRatio) {
    return new Line(measurement, what, contender, unit, rounds, newRatio, bar, verdict, note);
  }

  /** Judges the ratio. */
  public Line ratioAtLeast(double limit, String reference) {
    double reached = ratio == null ? Double.NaN : ratio;
    return judged("≥ %s of %s".formatted(plain(limit), reference), reached >= limit);
  }

  /** Judges the value. */
  public Line atMost(double limit) {
    return judged("≤ %s %s".formatted(plain(limit), unit).strip(), median() <= limit);
  }

  public Line judged(String newBar, boolean holds) {
    return new Line(
        measurement, what, contender, unit, rounds, ratio, newBar, Verdict.of(holds), note);
  }

  public Line noted(String newNote) {
    return new Line(measurement, what, contender, unit, rounds, ratio, bar, verdict, newNote);
  }

  public double median() {
    return new Samples(rounds).median();
  }

  boolean measured() {
    return !rounds.isEmpty();
  }

  /** The value with its unit, for people. */
  String value() {
    return measured() ? number(median()) + (unit.isEmpty() ? "" : " " + unit) : "–";
  }

  String ratioText() {
    return ratio == null ? "" : String.format(Locale.ROOT, ratio < 0.1 ? "%.3f" : "%.2f", ratio);
  }

  static String number(double value) {
    double size = Math.abs(value);
    String format =
        size >= 100 || value == Math.rint(value) ? "%,.0f" : size >= 1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }

  private static String plain(double limit) {
    return limit == Math.rint(limit) && limit >= 2 ? number(limit) : Double.toString(limit);
  }
}
