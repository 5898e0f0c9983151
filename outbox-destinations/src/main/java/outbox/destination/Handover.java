package outbox.destination;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.internal.Stages;

/** Hands batches to a destination and sees each to its end: its answer, or too long without one. */
final class Handover {

  private final Destination destination;
  private final GuardSettings settings;
  private final Reachability reachability;
  private final Room room;
  private final Deferral deferral;
  private final Tally tally;
  private final Overtaking overtaking = new Overtaking();

  Handover(
      Destination destination,
      GuardSettings settings,
      Reachability reachability,
      Room room,
      Deferral deferral,
      Tally tally) {
    this.destination = destination;
    this.settings = settings;
    this.reachability = reachability;
    this.room = room;
    this.deferral = deferral;
    this.tally = tally;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what follows an end is at its own end
  CompletionStage<?> send(List<EventEnvelope> events, BatchResult result) {
    GuardedBatch batch = new GuardedBatch(events, result, deferral, tally);
    long begin = overtaking.moment();
    CompletableFuture<Boolean> inTime = new CompletableFuture<>();
    CompletionStage<?> stage = start(batch, inTime);
    long handedOver = overtaking.moment();
    CompletableFuture<@Nullable Void> told = new CompletableFuture<>();
    inTime
        .completeOnTimeout(false, settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (isInTime, failure) ->
                tell(
                    told,
                    () -> {
                      try {
                        end(batch, isInTime, failure, handedOver);
                      } finally {
                        cancel(stage); // of no effect unless it was too late
                        learn(batch, begin);
                      }
                    }));
    told.whenComplete((value, failure) -> cancelWith(told, stage));
    return told;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // likewise
  private CompletionStage<?> start(GuardedBatch batch, CompletableFuture<Boolean> inTime) {
    try {
      CompletionStage<?> stage = Stages.required(destination.send(batch.events(), batch));
      stage.whenComplete((value, failure) -> complete(inTime, failure));
      return stage;
    } catch (Throwable e) {
      complete(inTime, e);
      return inTime;
    }
  }

  private static void complete(CompletableFuture<Boolean> inTime, @Nullable Throwable failure) {
    if (failure == null) {
      inTime.complete(true);
    } else {
      inTime.completeExceptionally(Stages.unwrapped(failure));
    }
  }

  /**
   * Whatever breaks meanwhile: the one who asked for the batch waits for its end, and nobody else
   * would hear of it. What was not said of events then is a failure of theirs.
   */
  private static void tell(CompletableFuture<@Nullable Void> told, Runnable end) {
    try {
      end.run();
      told.complete(null);
    } catch (Throwable e) {
      told.completeExceptionally(e);
    }
  }

  private void end(
      GuardedBatch batch,
      @Nullable Boolean isInTime,
      @Nullable Throwable failure,
      long handedOver) {
    if (failure == null && Boolean.FALSE.equals(isInTime)) {
      endTooLate(batch, handedOver);
    } else {
      batch.end(failure);
    }
  }

  private void endTooLate(GuardedBatch batch, long handedOver) {
    batch.endTooLate(
        "destination %s gave no answer within %s".formatted(destination.name(), settings.timeout()),
        overtaking.wasOvertaken(handedOver));
  }

  private void learn(GuardedBatch batch, long begin) {
    room.giveBack(batch.events().size());
    if (batch.anyDelivered()) {
      overtaking.delivered(begin);
    }
    reachability.learn(batch);
  }

  /** Who asked for the batch doesn't want it any more. */
  private static void cancelWith(CompletableFuture<?> told, CompletionStage<?> stage) {
    if (told.isCancelled()) {
      cancel(stage);
    }
  }

  private static void cancel(CompletionStage<?> stage) {
    try {
      stage.toCompletableFuture().cancel(true);
    } catch (RuntimeException e) {
      // A stage need not be a future, and one that isn't ends when it likes.
    }
  }
}
