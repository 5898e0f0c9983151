package outbox.destination;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.AsyncBatchEventListener;
import outbox.BatchResult;
import outbox.DeferException;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.internal.SafeLogger;
import outbox.internal.Stages;

/**
 * The listener of a {@link Destination}: an outage of it costs no event an attempt, and ends
 * without a stampede.
 *
 * <ul>
 *   <li>After {@code outageAfter} batches in a row in which the destination was unavailable its
 *       events are put off unsent, but for a few now and then that find out whether it is back.
 *       Then as many may be under way, and twice as many with each batch that is delivered.
 *   <li>A batch without an answer after {@code timeout} is over. That counts as an outage unless
 *       something was delivered meanwhile.
 *   <li>It can be {@linkplain #pause paused}, and be limited to so many events per second.
 * </ul>
 *
 * <p>What is put off changes in the table only by when it is available next. Events of types that a
 * registry leaves there cost nothing at all meanwhile. Safe for all threads.
 */
public final class GuardedDestination implements AsyncBatchEventListener, AutoCloseable {

  private static final Logger LOG = SafeLogger.of(GuardedDestination.class);

  private final Destination destination;
  private final String name;
  private final GuardSettings settings;
  private final Tally tally;
  private final Room room;
  private final Breaker breaker;
  private final @Nullable Quota quota;
  private final Deferral deferral;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean paused;
  private volatile long lastDeliveryNanos = System.nanoTime();

  /** With the defaults of the {@link Builder}. */
  public GuardedDestination(Destination destination) {
    this(destination, GuardSettings.DEFAULTS);
  }

  private GuardedDestination(Destination destination, GuardSettings settings) {
    this.destination = Objects.requireNonNull(destination, "destination must not be null");
    this.settings = settings;
    name = DestinationNames.required(destination.name());
    tally = new Tally(settings.clock());
    room = new Room(settings.maxInFlight());
    breaker = new Breaker(name, settings, this::wentAway, this::cameBack);
    deferral = new Deferral(name, breaker::untilProbe);
    quota = settings.rate() == null ? null : new Quota(name, settings.rate(), settings.clock());
  }

  public static Builder builder(Destination destination) {
    return new Builder(destination);
  }

  public String name() {
    return name;
  }

  @Override
  public CompletionStage<?> onEventsAsync(List<EventEnvelope> events, BatchResult result) {
    if (closed.get()) {
      return deferred(events, result, deferral::afterClose);
    }
    if (paused) {
      return deferred(events, result, deferral::whilePaused);
    }
    if (!breaker.tryAcquire()) {
      return deferred(events, result, deferral::whileAway);
    }
    return sent(admitted(events, result), result);
  }

  /** At most as many as may be under way now. */
  @Override
  public int maxBatch() {
    return Math.max(1, Math.min(destination.maxBatch(), room.free()));
  }

  /** Puts off what comes from now on; what is under way goes on. */
  public void pause() {
    if (!paused) {
      paused = true;
      tally.changed();
      LOG.log(Level.INFO, name + ": paused; its events wait until it is resumed");
    }
  }

  public void resume() {
    if (paused) {
      paused = false;
      tally.changed();
      LOG.log(Level.INFO, name + ": resumed");
    }
  }

  public DestinationHealth health() {
    return tally.health(name, state(), room.used());
  }

  /** Whether an event that came now would be sent; a hint that costs next to nothing. */
  public boolean isTaking() {
    return !paused && !closed.get() && room.free() > 0 && breaker.wouldTake();
  }

  /** Closes the destination, once. What comes afterwards is put off. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      tally.changed();
      destination.close();
    }
  }

  @Override
  public String toString() {
    return "GuardedDestination[%s, %s]".formatted(name, state());
  }

  private DestinationHealth.State state() {
    if (closed.get()) {
      return DestinationHealth.State.CLOSED;
    }
    if (paused) {
      return DestinationHealth.State.PAUSED;
    }
    return breaker.isClosed() ? DestinationHealth.State.UP : DestinationHealth.State.DOWN;
  }

  /** Those that may be sent now; the others are put off. */
  private List<EventEnvelope> admitted(List<EventEnvelope> events, BatchResult result) {
    int wanted = breaker.isClosed() ? events.size() : Math.min(Room.PROBE, events.size());
    int fitting = room.take(wanted);
    int granted = quota == null ? fitting : quota.take(fitting);
    room.giveBack(fitting - granted);
    if (fitting < events.size()) {
      deferred(events.subList(fitting, events.size()), result, deferral::forWantOfRoom);
    }
    if (quota != null && granted < fitting) {
      Duration spread = quota.spread(fitting - granted);
      deferred(
          events.subList(granted, fitting), result, () -> deferral.within(Quota.within(spread)));
    }
    return events.subList(0, granted);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what follows an end is at its own end
  private CompletionStage<?> sent(List<EventEnvelope> events, BatchResult result) {
    if (events.isEmpty()) {
      breaker.unknown();
      return CompletableFuture.completedFuture(null);
    }
    GuardedBatch batch = new GuardedBatch(events, result, deferral, tally);
    long begin = System.nanoTime();
    CompletionStage<?> stage = start(batch);
    CompletableFuture<Object> answer = new CompletableFuture<>();
    stage.whenComplete((value, failure) -> complete(answer, failure));
    CompletableFuture<@Nullable Void> told = new CompletableFuture<>();
    answer
        .orTimeout(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (value, failure) -> {
              end(batch, begin, failure == null ? null : Stages.unwrapped(failure));
              stage.toCompletableFuture().cancel(true); // of no effect unless it was too late
              told.complete(null);
            });
    told.whenComplete((value, failure) -> cancelWith(told, stage));
    return told;
  }

  /** Who asked for the batch doesn't want it any more. */
  private static void cancelWith(CompletableFuture<?> told, CompletionStage<?> stage) {
    if (told.isCancelled()) {
      stage.toCompletableFuture().cancel(true);
    }
  }

  private CompletionStage<?> start(GuardedBatch batch) {
    try {
      return Stages.required(destination.send(batch.events(), batch));
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** A timeout of the destination's own is no timeout of ours. */
  private static void complete(CompletableFuture<Object> answer, @Nullable Throwable failure) {
    if (failure == null) {
      answer.complete(true);
    } else {
      Throwable cause = Stages.unwrapped(failure);
      answer.completeExceptionally(
          cause instanceof TimeoutException
              ? new OutboxException("destination ran into a timeout", cause)
              : cause);
    }
  }

  private void end(GuardedBatch batch, long begin, @Nullable Throwable failure) {
    if (failure instanceof TimeoutException late) {
      boolean isAlive = lastDeliveryNanos - begin > 0;
      batch.endTooLate(
          late,
          isAlive,
          "destination %s gave no answer within %s".formatted(name, settings.timeout()));
    } else {
      batch.end(failure);
    }
    room.giveBack(batch.events().size());
    learn(batch);
  }

  private void learn(GuardedBatch batch) {
    UnavailableException outage = batch.outage();
    if (batch.anyDelivered()) {
      lastDeliveryNanos = System.nanoTime();
      room.grow();
      breaker.delivered();
    } else if (outage != null) {
      breaker.away(outage);
    } else {
      breaker.unknown();
    }
  }

  private CompletionStage<?> deferred(
      List<EventEnvelope> events, BatchResult result, Supplier<DeferException> reason) {
    tally.deferred.add(events.size());
    events.forEach(event -> result.failed(event, reason.get()));
    return CompletableFuture.completedFuture(null);
  }

  private void wentAway() {
    tally.changed();
    tally.outages.increment();
    LOG.log(
        Level.WARNING,
        "%s: destination is away; its events wait without losing attempts: lastError=%s"
            .formatted(name, tally.lastError()));
  }

  private void cameBack() {
    room.startSmall();
    Duration away = Duration.between(tally.since(), settings.clock().instant());
    tally.changed();
    LOG.log(Level.INFO, "%s: destination is back: away=%s".formatted(name, away));
  }

  /** Builds a {@link GuardedDestination}. */
  public static final class Builder {

    private final Destination destination;
    private GuardSettings settings = GuardSettings.DEFAULTS;

    private Builder(Destination destination) {
      this.destination = destination;
    }

    /** After how many batches in a row without a destination it is left alone; default 3. */
    public Builder outageAfter(int batches) {
      settings = settings.withOutageAfter(batches);
      return this;
    }

    /**
     * How long it is left alone: the first time, then twice as long each time up to the longest;
     * half of it is left to chance. Default 1 s, 2 s, 4 s, 5 s, 5 s and so on.
     */
    public Builder probeAfter(Duration first, Duration longest) {
      settings = settings.withProbes(first, longest);
      return this;
    }

    /**
     * How long a batch may take; default 30 s. Keep it below the {@code dispatchTimeout} of the
     * outbox, which counts attempts.
     */
    public Builder timeout(Duration timeout) {
      settings = settings.withTimeout(timeout);
      return this;
    }

    /**
     * The most events under way at once; default any number, which is the share that the outbox
     * gives each listener of its {@code asyncInFlight}.
     */
    public Builder maxInFlight(int events) {
      settings = settings.withMaxInFlight(events);
      return this;
    }

    /** The most events per second that this process sends; default any number. */
    public Builder rate(int eventsPerSecond) {
      settings = settings.withRate(eventsPerSecond);
      return this;
    }

    Builder clock(Clock clock) {
      settings = settings.withClock(clock);
      return this;
    }

    public GuardedDestination build() {
      return new GuardedDestination(destination, settings);
    }
  }
}
