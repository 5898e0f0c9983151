package outbox.faults.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The protocol as a model, small enough for every state of it to be looked at: it keeps its
 * promises, and with any of the known mistakes it would not. {@code make model} takes larger ones.
 */
class ModelTest {

  private static final ExecutorService CORES = Executors.newFixedThreadPool(2);
  private static final Map<Model, Future<Verdict>> VERDICTS = new ConcurrentHashMap<>();

  /** A model that is right, how many states it has, and what must have happened in them. */
  record Sound(Model model, long states, List<String> seen) {

    static Sound of(Model model, long states, String... seen) {
      return new Sound(model.telling(), states, List.of(seen));
    }

    @Override
    public String toString() {
      return model.toString();
    }
  }

  /** A model with a mistake, the promise that it breaks, and after how many steps. */
  record Mistaken(Model model, String broken, int steps) {

    @Override
    public String toString() {
      return model.toString();
    }
  }

  static Stream<Sound> sound() {
    return Stream.of(claims(), claimsThatFail(), partitions(), cursor()).flatMap(models -> models);
  }

  private static Stream<Sound> claims() {
    Model cold = Model.claims().with("HotPath", "FALSE");
    return Stream.of(
        Sound.of(
            Model.claims().with("MaxAttempts", 2).with("Refusals", 1),
            21_601,
            "delivered",
            "tried again",
            "buried",
            "fetched early"),
        Sound.of(
            Model.claims().with("Crashes", 1),
            14_135,
            "delivered",
            "buried",
            "taken over",
            "delivered twice"),
        Sound.of(
            cold.with("MaxAttempts", 2).with("Pauses", 1),
            25_725,
            "tried again",
            "buried",
            "taken over",
            "delivered twice",
            "zombie refused"),
        Sound.of(Model.claims().with("LostAnswers", 1), 6_018, "delivered", "taken over"));
  }

  private static Stream<Sound> claimsThatFail() {
    Model cold = Model.claims().with("HotPath", "FALSE");
    Model single = Model.claims().with("Locking", "FALSE").with("Nodes", "{a}");
    return Stream.of(
        Sound.of(
            cold.with("LostAnswers", 1).with("Conflicts", 1),
            8_588,
            "taken over",
            "delivered twice",
            "zombie refused"),
        Sound.of(
            cold.with("Closes", 1).with("Conflicts", 1), 7_569, "taken over", "delivered twice"),
        Sound.of(
            single
                .with("MaxAttempts", 2)
                .with("Crashes", 1)
                .with("Closes", 1)
                .with("LostAnswers", 1)
                .with("Refusals", 1),
            4_892,
            "delivered twice",
            "tried again",
            "buried",
            "fetched early"));
  }

  private static Stream<Sound> partitions() {
    return Stream.of(
        Sound.of(
            Model.partitions().with("Partitions", 2).with("Keys", 2),
            20_250,
            "all delivered",
            "handed over"),
        Sound.of(
            Model.partitions().with("Closes", 1),
            19_692,
            "all delivered",
            "handed over",
            "gone on behind a dead event"),
        Sound.of(
            Model.partitions().with("Crashes", 1),
            6_511,
            "all delivered",
            "taken over",
            "delivered twice"),
        Sound.of(
            Model.partitions().with("Pauses", 1).with("Events", "{1}"),
            8_147,
            "taken over",
            "delivered twice",
            "zombie refused"),
        Sound.of(
            Model.partitions().with("LostAnswers", 1).with("MaxAttempts", 2),
            6_987,
            "all delivered",
            "gone on behind a dead event"));
  }

  private static Stream<Sound> cursor() {
    return Stream.of(
        Sound.of(
            Model.cursor(), 68_315, "all delivered", "committed late", "confirmed", "looked below"),
        Sound.of(
            Model.cursor().with("Snapshots", "FALSE"),
            66_809,
            "all delivered",
            "committed late",
            "confirmed",
            "looked below"));
  }

  static Stream<Model> lively() {
    Model cursor = Model.cursor().with("Events", "{1, 2}");
    return Stream.of(
            Model.claims().with("HotPath", "FALSE").with("MaxAttempts", 2).with("Crashes", 1),
            Model.partitions().with("Events", "{1}").with("Crashes", 1),
            cursor,
            cursor.with("Snapshots", "FALSE"))
        .map(Model::lively);
  }

  static Stream<Mistaken> mistaken() {
    Model cold = Model.claims().with("HotPath", "FALSE");
    Model single = Model.claims().with("Locking", "FALSE").with("Nodes", "{a}");
    Model others = Model.cursor().with("Snapshots", "FALSE");
    return Stream.of(
        new Mistaken(cold.mistaken("Unfenced").with("Pauses", 1), "ZombieChangesNothing", 13),
        new Mistaken(Model.claims().mistaken("LocalClock"), "RepeatsOnlyAfterFailure", 11),
        new Mistaken(Model.claims().mistaken("ReleaseEarly"), "RepeatsOnlyAfterFailure", 14),
        new Mistaken(single.mistaken("ReleaseEarly"), "RepeatsOnlyAfterFailure", 9),
        new Mistaken(Model.claims().mistaken("CompleteEarly"), "DoneMeansDelivered", 5),
        new Mistaken(Model.claims().mistaken("DeliverUncommitted"), "OnlyCommittedIsDelivered", 3),
        new Mistaken(
            Model.claims().mistaken("ForgetRenewal").with("LostAnswers", 1),
            "RepeatsOnlyAfterFailure",
            17),
        new Mistaken(
            Model.claims().mistaken("BeginUnasked").with("MaxAttempts", 2).with("Pauses", 1),
            "RepeatsOnlyAfterFailure",
            22),
        new Mistaken(Model.partitions().mistaken("IgnoreEpoch").with("Pauses", 1), "OneOwner", 7),
        new Mistaken(
            Model.partitions().mistaken("UnlockedFence").with("Pauses", 1),
            "ZombieChangesNothing",
            16),
        new Mistaken(
            Model.partitions().mistaken("HandOverUndrained").with("Closes", 1),
            "ZombieChangesNothing",
            12),
        new Mistaken(Model.partitions().mistaken("ReleaseEarly"), "InOrder", 11),
        new Mistaken(Model.partitions().mistaken("TakeInEnded"), "RepeatsOnlyAfterFailure", 15),
        new Mistaken(Model.cursor().mistaken("PassOpen"), "InOrder", 12),
        new Mistaken(others.mistaken("PassOpen"), "InOrder", 14),
        new Mistaken(Model.cursor().mistaken("KeepPage"), "InOrder", 12),
        new Mistaken(others.mistaken("OpenFirst"), "InOrder", 14),
        new Mistaken(Model.cursor().mistaken("NoMoment"), "InOrder", 13),
        new Mistaken(others.mistaken("NoMoment"), "InOrder", 16));
  }

  @BeforeAll
  static void checkAllModels() {
    Stream.of(sound().map(Sound::model), mistaken().map(Mistaken::model), lively())
        .flatMap(models -> models)
        .forEach(
            model -> VERDICTS.put(model, CORES.submit(() -> ModelChecker.quick().check(model))));
  }

  @AfterAll
  static void stop() {
    CORES.shutdownNow();
  }

  @ParameterizedTest
  @MethodSource("sound")
  void protocolKeepsItsPromises(Sound sound) throws Exception {
    Verdict verdict = VERDICTS.get(sound.model()).get();

    assertThat(verdict.broken()).as(verdict.output()).isEmpty();
    assertThat(verdict.states()).isEqualTo(sound.states());
    assertThat(verdict.seen()).containsAll(sound.seen());
  }

  @ParameterizedTest
  @MethodSource("lively")
  void everyCommittedEventEnds(Model model) throws Exception {
    Verdict verdict = VERDICTS.get(model).get();

    assertThat(verdict.broken()).as(verdict.output()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("mistaken")
  void mistakeIsFound(Mistaken mistaken) throws Exception {
    Verdict verdict = VERDICTS.get(mistaken.model()).get();

    assertThat(verdict.broken()).as(verdict.output()).contains(mistaken.broken());
    assertThat(verdict.steps()).isEqualTo(mistaken.steps());
  }
}
