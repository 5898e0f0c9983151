package outbox.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import outbox.internal.RepeatingTask;

/**
 * Keeps a listener that gets nowhere from filling the queues. What has waited for a moment, for a
 * listener that has given nothing back for as long, or has had enough, is put off without a try, if
 * there is little room left for others; then its place and its bytes are theirs. If the listener
 * hangs, that is so at once. Where there is room, it just waits, so that a listener that is merely
 * slow costs no writes. And has those asked again that took nothing more for a moment.
 */
final class Deferrer implements AutoCloseable {

  static final Duration MOMENT = Duration.ofMillis(500);

  /** One that has had enough for so long, and ended nothing, keeps no events in memory at all. */
  static final Duration LONG = Duration.ofSeconds(30);

  private static final Duration PAUSE = MOMENT.dividedBy(4);

  /** What gives nothing back for so long hangs, and there is no use in waiting for it. */
  static final Duration HANGS = Duration.ofSeconds(1);

  /** While somebody hangs, whose events may fill a queue in no time. */
  private static final Duration SHORT_PAUSE = Duration.ofMillis(20);

  private final AsyncSlots slots;
  private final Gatherings gatherings;
  private final Predicate<Delivery> isCrowdedFor;
  private final BiConsumer<List<Delivery>, AsyncSlots.Stall> putOff;
  private final LongSupplier nanoTime;
  private final RepeatingTask task = new RepeatingTask("deferrer", this::lookAndPause, PAUSE);
  private volatile boolean ended;
  private long lookedNanos;

  /**
   * @param putOff what becomes of events that have waited for too long
   */
  Deferrer(
      AsyncSlots slots,
      Gatherings gatherings,
      Predicate<Delivery> isCrowdedFor,
      BiConsumer<List<Delivery>, AsyncSlots.Stall> putOff,
      LongSupplier nanoTime) {
    this.slots = slots;
    this.gatherings = gatherings;
    this.isCrowdedFor = isCrowdedFor;
    this.putOff = putOff;
    this.nanoTime = nanoTime;
  }

  void start() {
    task.start();
  }

  /** From now on nothing is put off any more. */
  void end() {
    ended = true;
  }

  @Override
  public void close() {
    task.close();
  }

  /** Whether some listener hangs. */
  boolean look() {
    List<AsyncSlots.Stall> stalls = slots.stalls(MOMENT);
    for (AsyncSlots.Stall stall : stalls) {
      Predicate<Delivery> isToGo = delivery -> isToGo(delivery, stall);
      List<Delivery> waiting = new ArrayList<>(slots.takeOut(stall.listener(), isToGo));
      waiting.addAll(gatherings.takeOut(stall.listener(), isToGo));
      if (!waiting.isEmpty()) {
        putOff.accept(waiting, stall);
      }
    }
    return stalls.stream().anyMatch(Deferrer::hangs);
  }

  /** A look that comes late shows that this process stood still, and not its listeners. */
  private Duration lookAndPause() {
    long before = lookedNanos;
    lookedNanos = nanoTime.getAsLong();
    if (lookedNanos - before > MOMENT.toNanos()) {
      slots.stoodStill();
    }
    boolean anyHangs = !ended && look();
    slots.askAgain();
    return anyHangs ? SHORT_PAUSE : PAUSE;
  }

  private boolean isToGo(Delivery delivery, AsyncSlots.Stall stall) {
    long waited = nanoTime.getAsLong() - delivery.cameNanos();
    boolean isHopeless = stall.idle().compareTo(LONG) >= 0 && stall.full().compareTo(LONG) >= 0;
    return (waited >= MOMENT.toNanos() || hangs(stall))
        && (isHopeless || isCrowdedFor.test(delivery));
  }

  private static boolean hangs(AsyncSlots.Stall stall) {
    return stall.idle().compareTo(HANGS) >= 0;
  }
}
