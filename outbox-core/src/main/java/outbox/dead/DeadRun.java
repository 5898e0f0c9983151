package outbox.dead;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import outbox.dead.BatchProgress.State;
import outbox.internal.Transactions;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.spi.DeadBatch;
import outbox.spi.OutboxStore;
import outbox.util.Nullable;

/**
 * Walks through the events that are dead when it begins, oldest first, a batch per transaction.
 * What dies meanwhile, for the first time or again, is beyond the cut-off.
 *
 * <p>A batch passes over what others have locked. That may be another operator, or a poll that
 * locks a row only to see that it is none of its own, as InnoDB does at the end of a range. So what
 * is still dead after the walk is looked for again.
 */
final class DeadRun {

  /** Changes the events of a page. */
  interface Change {
    DeadBatch apply(Connection connection, DeadQuery page);
  }

  /** How often what is left is looked for. */
  private static final int ROUNDS = 5;

  /** Longer than a poll takes. */
  private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(50);

  /** More than clocks of nodes differ: what died again must not be taken for what was left. */
  private static final Duration CLOCK_ERROR = Duration.ofSeconds(1);

  private record Start(DeadFilter filter, Instant cutOff, int matched) {}

  private final LoggedAnswers database;
  private final OutboxStore store;
  private final String operation;
  private final BatchOptions options;
  private final Change change;
  private int matched;
  private int changed;
  private int skipped;

  DeadRun(
      LoggedAnswers database,
      OutboxStore store,
      String operation,
      BatchOptions options,
      Change change) {
    this.database = database;
    this.store = store;
    this.operation = operation;
    this.options = options;
    this.change = change;
  }

  BatchProgress over(DeadFilter filter) {
    Optional<Start> start =
        database.answer(
            operation, Optional.empty(), connection -> Optional.of(start(connection, filter)));
    if (start.isEmpty()) {
      return report(State.FAILED);
    }
    matched = start.get().matched();
    return report(options.dryRun() ? State.DRY_RUN : walk(start.get()));
  }

  /** What died in this very microsecond counts as dead already. */
  private Start start(Connection connection, DeadFilter filter) {
    store.alignClock(connection);
    Instant now = store.clock().instant().truncatedTo(ChronoUnit.MICROS);
    Instant cutOff = now.plus(1, ChronoUnit.MICROS);
    DeadFilter before = filter.cutOffAt(cutOff);
    int count = store.countDead(connection, before, Integer.MAX_VALUE);
    return new Start(before, cutOff, count);
  }

  private State walk(Start start) {
    long began = System.nanoTime();
    State state = walk(start.filter(), began);
    DeadFilter left = start.filter().cutOffAt(start.cutOff().minus(CLOCK_ERROR));
    for (int round = 0; round < ROUNDS && state == State.COMPLETED && isLeft(left); round++) {
      options.stop().comesWithin(BETWEEN_ROUNDS);
      state = walk(left, began);
    }
    skipped = state == State.COMPLETED ? Math.max(0, matched - changed) : 0;
    return state;
  }

  private boolean isLeft(DeadFilter filter) {
    return changed < matched
        && database.answer(
            operation, false, connection -> store.countDead(connection, filter, 1) > 0);
  }

  private State walk(DeadFilter filter, long began) {
    DeadQuery page = DeadQuery.of(filter).withLimit(batchSize());
    while (!isStopped()) {
      DeadBatch batch = next(page);
      if (batch == null) {
        return State.FAILED;
      }
      changed += batch.changed();
      if (batch.changed() < page.limit()) {
        return State.COMPLETED;
      }
      report(State.RUNNING);
      page = page.startingAfter(batch.last());
      keepPace(began);
    }
    return State.STOPPED;
  }

  private @Nullable DeadBatch next(DeadQuery page) {
    return database
        .answer(
            "%s more dead events than %d".formatted(operation, changed),
            Optional.<DeadBatch>empty(),
            connection ->
                Optional.of(Transactions.inTransaction(connection, tx -> change.apply(tx, page))))
        .orElse(null);
  }

  /** With a limit no batch is more than a second's worth. */
  private int batchSize() {
    return options.eventsPerSecond() == BatchOptions.UNLIMITED
        ? options.batchSize()
        : Math.min(options.batchSize(), options.eventsPerSecond());
  }

  private void keepPace(long began) {
    if (options.eventsPerSecond() != BatchOptions.UNLIMITED) {
      Duration due =
          Duration.ofSeconds(1).multipliedBy(changed).dividedBy(options.eventsPerSecond());
      Duration wait = due.minusNanos(System.nanoTime() - began);
      options.stop().comesWithin(wait);
    }
  }

  private boolean isStopped() {
    return options.stop().isStopped() || Thread.currentThread().isInterrupted();
  }

  private BatchProgress report(State state) {
    BatchProgress progress = new BatchProgress(state, matched, changed, skipped);
    options.onProgress().accept(progress);
    return progress;
  }
}
