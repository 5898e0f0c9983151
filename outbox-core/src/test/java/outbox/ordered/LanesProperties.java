package outbox.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import outbox.ordered.LanesScript.Kind;
import outbox.ordered.LanesScript.Step;

/** Whatever happens, and in whatever order; what it found stands in {@link LanesTest}. */
class LanesProperties {

  /** What is committed late behind a row of events that is passed over. */
  private static final List<Kind> LATE =
      List.of(Kind.WRITE_OPEN, Kind.WRITE_MANY, Kind.COMMIT, Kind.READ, Kind.TIME_PASSES);

  private static final ScriptedDispatcher DISPATCHER = new ScriptedDispatcher();

  @Property(tries = 250)
  void eventsOfAnAggregateAreDeliveredInOrderAndNoneIsForgotten(
      @ForAll OnDead onDead,
      @ForAll("capacities") int capacity,
      @ForAll("keysAskedFor") int mostKeys,
      @ForAll("steps") List<Step> steps) {
    LanesModel model = new LanesModel(onDead, capacity, mostKeys, DISPATCHER);
    LanesScript script = new LanesScript(model, onDead);

    for (Step step : steps) {
      script.run(step);
      assertThat(model.violations()).as("after %s", step).isEmpty();
      assertThat(model.eventsInMemory()).isLessThanOrEqualTo(model.mostInMemory());
    }
    script.deliverTheRest();

    assertThat(model.violations()).isEmpty();
    assertThat(model.eventsInMemory()).isZero();
  }

  @Provide
  Arbitrary<Integer> capacities() {
    return Arbitraries.of(8, 24, 120, 300);
  }

  /** With few of them events are mostly read for all together, as with many aggregates. */
  @Provide
  Arbitrary<Integer> keysAskedFor() {
    return Arbitraries.of(1, 2, LaneSettings.MOST_KEYS);
  }

  /** A few kinds at a time: what takes many steps of one kind would hardly ever happen else. */
  @Provide
  Arbitrary<List<Step>> steps() {
    Arbitrary<List<Kind>> any = Arbitraries.of(Kind.class).list().ofMinSize(2).ofMaxSize(8);
    return Arbitraries.frequencyOf(Tuple.of(3, any), Tuple.of(1, Arbitraries.just(LATE)))
        .flatMap(LanesProperties::stepsOf);
  }

  private static Arbitrary<List<Step>> stepsOf(List<Kind> kinds) {
    Arbitrary<Kind> usual = Arbitraries.of(Kind.WRITE, Kind.READ, Kind.REFILL);
    return Combinators.combine(
            Arbitraries.frequencyOf(Tuple.of(2, usual), Tuple.of(3, Arbitraries.of(kinds))),
            Arbitraries.integers().between(0, 11))
        .as(Step::new)
        .list()
        .ofMaxSize(80);
  }
}
