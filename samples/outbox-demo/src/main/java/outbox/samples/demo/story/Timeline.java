package outbox.samples.demo.story;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The time of a run, its moments, and what is to be done once something has come true. One thread
 * awaits; all threads may ask and note.
 */
public final class Timeline {

  private static final Duration STEP = Duration.ofMillis(25);
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private record Watch(BooleanSupplier condition, Runnable then) {}

  private final long startNanos = System.nanoTime();
  private final Duration planned;
  private final List<Watch> watches = new ArrayList<>();
  private final List<Moment> moments = new ArrayList<>();

  public Timeline(Duration planned) {
    this.planned = planned;
  }

  public Duration planned() {
    return planned;
  }

  public Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  public synchronized void note(Tone tone, String text) {
    moments.add(new Moment(elapsed(), tone, text));
  }

  public synchronized List<Moment> moments() {
    return List.copyOf(moments);
  }

  /** Does something, once, as soon as the condition is found to hold. */
  void when(BooleanSupplier condition, Runnable then) {
    watches.add(new Watch(condition, then));
  }

  /** Waits for something and tells of it; if it doesn't come true in time, of that. */
  void tellOnce(BooleanSupplier condition, Supplier<String> text) throws InterruptedException {
    boolean isTrue = await(condition);
    note(isTrue ? Tone.GOOD : Tone.BAD, (isTrue ? "" : "not yet: ") + text.get());
  }

  /** Waits until this share of the planned time has gone by. */
  void awaitShare(double share) throws InterruptedException {
    Duration due = Duration.ofNanos((long) (planned.toNanos() * share));
    await(() -> elapsed().compareTo(due) >= 0, planned);
  }

  /** Waits for the condition, but not for ever; returns whether it ever held. */
  boolean await(BooleanSupplier condition) throws InterruptedException {
    return await(condition, PATIENCE);
  }

  private boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
    Duration end = elapsed().plus(atMost);
    boolean held = condition.getAsBoolean();
    while (!held && elapsed().compareTo(end) < 0) {
      Thread.sleep(STEP.toMillis());
      checkWatches();
      held = condition.getAsBoolean();
    }
    return held;
  }

  static String seconds(Duration duration) {
    return "%.1f s".formatted(duration.toMillis() / 1000.0);
  }

  private void checkWatches() {
    for (Watch watch : List.copyOf(watches)) {
      if (watch.condition().getAsBoolean()) {
        watches.remove(watch);
        watch.then().run();
      }
    }
  }
}
