package outbox.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import outbox.model.EventStatus;
import outbox.ordered.TableModel.Row;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/** What can happen to lanes and around them. */
final class LanesScript {

  private static final int KEYS = 3;
  private static final int IDLE_ROUNDS = 8;
  private static final Duration ROUND = Duration.ofSeconds(20);
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofMillis(10),
          Duration.ofMillis(600),
          Duration.ofSeconds(5),
          Duration.ofMinutes(1));
  private static final List<Duration> DELAYS =
      List.of(
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO,
          Duration.ofMillis(300),
          Duration.ofSeconds(3),
          Duration.ofMinutes(2));

  private final LanesModel model;
  private final TableModel table;
  private final OnDead onDead;

  enum Kind {
    WRITE,
    WRITE_WITHOUT_KEY,
    WRITE_UNREADABLE,
    WRITE_OPEN,
    WRITE_MANY,
    COMMIT,
    ROLL_BACK,
    READ,
    START_READING,
    REFILL,
    START_REFILL,
    READ_FAILS,
    SWEEP,
    DELIVERED,
    RETRY,
    DEFERRED,
    DEAD,
    RELEASED,
    UNWRITTEN,
    ANSWER_LOST,
    ANSWER_LATE,
    LATE_COMMIT,
    TIME_PASSES,
    TIME_PASSES_UNREAD,
    DISPATCHER_FULL,
    DISPATCHER_FREE,
    LISTENER_AWAY,
    LISTENER_BACK,
    GIVE_UP,
    LOSE_SESSION,
    OTHERS_DELIVER,
    OWN,
    TAKE_OVER,
    REPLAY,
    DISCARD,
    BRING_FORWARD,
    READ_BLOCKS,
    ASK
  }

  /** Something that happens, to the one at this place of those that it can happen to. */
  record Step(Kind kind, int place) {}

  LanesScript(LanesModel model, OnDead onDead) {
    this.model = model;
    this.table = model.table();
    this.onDead = onDead;
  }

  void run(Step step) {
    int place = step.place();
    switch (step.kind()) {
      case WRITE -> write(place, true, false);
      case WRITE_WITHOUT_KEY -> write(place, false, false);
      case WRITE_UNREADABLE -> write(place, place % 3 > 0, true);
      case WRITE_OPEN -> write(place, true, false).isOpen = true;
      case WRITE_MANY -> writeMany(place);
      case COMMIT -> commit(place);
      case ROLL_BACK -> rollBack(place);
      case READ -> model.read();
      case START_READING -> model.startReading();
      case REFILL -> model.refill();
      case START_REFILL -> model.startRefill();
      case READ_FAILS -> model.failReading();
      case SWEEP -> model.sweep();
      case DELIVERED, RETRY, DEFERRED, DEAD, RELEASED, UNWRITTEN, ANSWER_LOST, ANSWER_LATE ->
          end(step.kind(), model.inHands(place), place);
      case LATE_COMMIT -> commitLate(table.pick(place, row -> row.late != null));
      case TIME_PASSES -> pass(PAUSES.get(place % PAUSES.size()));
      case TIME_PASSES_UNREAD -> passUnread(PAUSES.get(place % PAUSES.size()));
      case DISPATCHER_FULL -> model.dispatcherIsFull(true);
      case DISPATCHER_FREE -> model.dispatcherIsFull(false);
      case LISTENER_AWAY -> model.isAway(typeAt(place), true);
      case LISTENER_BACK -> model.isAway(typeAt(place), false);
      case GIVE_UP -> model.giveUp(place % LanesModel.PARTITIONS);
      case LOSE_SESSION -> loseSession(place);
      case OTHERS_DELIVER -> othersDeliver(place);
      case OWN -> model.own(place % LanesModel.PARTITIONS, false);
      case TAKE_OVER -> model.own(place % LanesModel.PARTITIONS, true);
      case REPLAY -> replay(table.pick(place, row -> row.status == EventStatus.DEAD));
      case DISCARD -> discard(table.pick(place, row -> row.isBlocking));
      case BRING_FORWARD -> bringForward(place);
      case READ_BLOCKS -> model.readBlocks();
      case ASK -> model.ask();
    }
  }

  /** From now on everything goes well, and that must be enough for every event. */
  void deliverTheRest() {
    model.dispatcherIsFull(false);
    table.all(row -> row.isOpen).forEach(row -> row.isOpen = false);
    table.all(row -> row.late != null).forEach(this::commitLate);
    endAll();
    ownAll();
    goOn();
    assertThat(table.all(row -> isDeliverable(row) && row.key != null && !row.isReplayedLate))
        .as("events that wait for no listener, but for others' listeners")
        .isEmpty();
    TableModel.TYPES.forEach(type -> model.isAway(type, false));
    goOn();
    assertThat(table.all(row -> row.isPending() && row.key != null && !row.isReplayedLate))
        .as("events that nobody reads again")
        .isEmpty();
    model.sweep();
    goOn();
    assertThat(table.all(Row::isPending)).as("events that not even a sweep finds").isEmpty();
  }

  /** Whether neither its listener is away nor that of one before it. */
  private boolean isDeliverable(Row row) {
    return row.isPending()
        && !model.isAway(row)
        && table.earlierOf(row).stream()
            .noneMatch(other -> other.isPending() && model.isAway(other));
  }

  /** Ends when nothing has happened for longer than anything waits. */
  private void goOn() {
    int left = table.all(Row::isPending).size();
    for (int idle = 0; idle < IDLE_ROUNDS; idle++) {
      pass(ROUND);
      model.ask();
      model.read();
      while (model.refill()) {
        endAll();
      }
      endAll();
      table.all(row -> row.isBlocking).forEach(this::discard);
      int now = table.all(Row::isPending).size();
      idle = now < left ? 0 : idle;
      left = now;
    }
  }

  private static String typeAt(int place) {
    return TableModel.TYPES.get(place % TableModel.TYPES.size());
  }

  private void endAll() {
    model.deliver();
    for (Row row = model.inHands(0); row != null; row = model.inHands(0)) {
      end(Kind.DELIVERED, row, 0);
    }
  }

  private Row write(int place, boolean isKeyed, boolean isUnreadable) {
    return table.insert(place % KEYS, isKeyed, isUnreadable, DELAYS.get(place % DELAYS.size()));
  }

  /** Of one aggregate, more than a lane keeps. */
  private void writeMany(int place) {
    for (int i = 0; i <= Lane.MOST_ENTRIES; i++) {
      table.insert(place % KEYS, true, false, Duration.ZERO);
    }
  }

  private void commit(int place) {
    Row open = table.pick(place, row -> row.isOpen);
    if (open != null) {
      open.isOpen = false;
    }
  }

  private void rollBack(int place) {
    Row open = table.pick(place, row -> row.isOpen);
    if (open != null) {
      table.rollBack(open);
    }
  }

  /** Others may take over, or it may have everything again at once. */
  private void loseSession(int place) {
    model.loseSession();
    if (place % 2 == 0) {
      ownAll();
    }
  }

  private void ownAll() {
    for (int partition = 0; partition < LanesModel.PARTITIONS; partition++) {
      model.own(partition, true);
    }
  }

  /** What is not this node's is delivered by another, in its order. */
  private void othersDeliver(int place) {
    Row others =
        table.pick(
            place,
            row ->
                row.isPending()
                    && !row.isOpen
                    && row.late == null
                    && model.isOthers(row)
                    && isNext(row));
    if (others != null) {
      others.status = EventStatus.DONE;
    }
  }

  private boolean isNext(Row row) {
    return table.earlierOf(row).stream().allMatch(earlier -> earlier.status == EventStatus.DONE);
  }

  /** Blocks are read every second. */
  private void pass(Duration time) {
    if (time.toSeconds() > 0) {
      model.readBlocks();
    }
    passUnread(time);
  }

  /** What blocks can't be read. */
  private void passUnread(Duration time) {
    table.pass(time);
    model.deliver();
  }

  private void end(Kind kind, @Nullable Row row, int place) {
    if (row == null) {
      return;
    }
    Instant later = table.now().plus(DELAYS.get(place % DELAYS.size()));
    switch (possible(kind, row)) {
      case DELIVERED -> {
        row.status = EventStatus.DONE;
        model.end(row, new Outcome.Delivered(false));
      }
      case RETRY -> {
        again(row, row.attempts + 1, later);
        model.end(row, new Outcome.Retry(row.attempts, later, "refused"));
      }
      case DEFERRED -> {
        again(row, row.attempts, later);
        model.end(row, new Outcome.Deferred(row.attempts, later));
      }
      case DEAD -> {
        die(row);
        model.end(row, new Outcome.Dead(row.attempts, "refused"));
      }
      case RELEASED -> model.end(row, new Outcome.Released());
      case ANSWER_LOST -> {
        if (place % 2 == 0) {
          row.status = EventStatus.DONE;
        } else {
          die(row);
        }
        model.end(row, null);
      }
      case ANSWER_LATE -> {
        row.late = place % 2 == 0 ? EventStatus.DONE : EventStatus.DEAD;
        model.end(row, null);
      }
      default -> model.end(row, null);
    }
  }

  /**
   * A session that is over writes nothing, what a late commit has ended is ended, and what nobody
   * can read is not delivered.
   */
  private Kind possible(Kind kind, Row row) {
    if (model.isOfOldSession(row) || row.late != null || !row.isPending()) {
      return Kind.UNWRITTEN;
    }
    return row.isUnreadable && kind != Kind.UNWRITTEN ? Kind.DEAD : kind;
  }

  /** Nobody has heard of it, and nobody else could write the row meanwhile. */
  private void commitLate(@Nullable Row row) {
    if (row != null) {
      boolean isDead = row.late == EventStatus.DEAD;
      row.late = null;
      row.isEndedLate = true;
      if (isDead) {
        die(row);
      } else {
        row.status = EventStatus.DONE;
      }
    }
  }

  private void die(Row row) {
    row.status = EventStatus.DEAD;
    row.isBlocking = row.key != null && onDead == OnDead.BLOCK_KEY;
  }

  private static void again(Row row, int attempts, Instant at) {
    row.status = EventStatus.RETRY;
    row.attempts = attempts;
    row.availableAt = at;
  }

  /** In its order only if it has held up the others until now. */
  private void replay(@Nullable Row row) {
    if (row != null) {
      row.isReplayedLate = !row.isBlocking;
      row.isBlocking = false;
      again(row, 0, table.now());
    }
  }

  private void discard(@Nullable Row row) {
    if (row != null) {
      row.isBlocking = false;
      row.status = EventStatus.DONE;
    }
  }

  private void bringForward(int place) {
    Row waiting = table.pick(place, row -> row.isPending() && row.availableAt.isAfter(table.now()));
    if (waiting != null) {
      waiting.availableAt = table.now();
    }
  }
}
