package outbox.destination;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import outbox.AsyncBatchEventListener;
import outbox.BatchResult;
import outbox.EventEnvelope;
import outbox.internal.SafeLogger;

/**
 * The listener of a {@link Destination}: an outage of it costs no event an attempt, and ends
 * without a stampede.
 *
 * <ul>
 *   <li>After {@code outageAfter} batches in a row in which the destination was unavailable its
 *       events are put off unsent, but for a few now and then that find out whether it is back: a
 *       refusal shows that, too. Then as many may be under way, and twice as many with each batch
 *       that is delivered.
 *   <li>A batch without an answer after {@code timeout} is over. That counts as an outage: it may
 *       wait behind others with a destination that is slow. An event that was overtaken by one that
 *       was sent later is charged with the try.
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
  private final Tally tally;
  private final Room room;
  private final Reachability reachability;
  private final Deferral deferral;
  private final Admission admission;
  private final Handover handover;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean paused;

  /** With the defaults of the {@link Builder}. */
  public GuardedDestination(Destination destination) {
    this(destination, GuardSettings.defaults());
  }

  private GuardedDestination(Destination destination, GuardSettings settings) {
    this.destination = Objects.requireNonNull(destination, "destination must not be null");
    name = DestinationNames.required(destination.name());
    tally = new Tally(settings.clock());
    room = new Room(settings.maxInFlight());
    reachability = new Reachability(name, settings, room, tally);
    deferral = new Deferral(name, reachability::untilProbe, tally);
    admission = new Admission(reachability, room, Quota.of(name, settings), deferral);
    handover = new Handover(destination, settings, reachability, room, deferral, tally);
  }

  public static Builder builder(Destination destination) {
    return new Builder(destination);
  }

  public String name() {
    return name;
  }

  @Override
  public CompletionStage<?> onEventsAsync(List<EventEnvelope> events, BatchResult result) {
    List<EventEnvelope> admitted = admitted(events, result);
    return admitted.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : handover.send(admitted, result);
  }

  /** At most as many as may be under way now, also none; what is to be put off comes at once. */
  @Override
  public int maxBatch() {
    int most = Math.max(1, destination.maxBatch());
    return isOpen() ? Math.min(most, room.free()) : most;
  }

  /** While it is away, paused or closed. */
  @Override
  public boolean isAway() {
    return !isOpen();
  }

  /**
   * Until it answers, or as much time again has passed, it {@linkplain #isTaking takes} nothing.
   */
  @Override
  public void endedNothingFor(Duration stalled) {
    reachability.silentFor(stalled);
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

  /**
   * Whether an event that came now would be sent, and not put off because others wait; a hint that
   * costs next to nothing.
   */
  public boolean isTaking() {
    return room.free() > 0 && !isLeftAlone();
  }

  /** Whether what came now would be put off, and not because others were before it. */
  boolean isLeftAlone() {
    return !isOpen() || reachability.isSilent();
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

  private boolean isOpen() {
    return !paused && !closed.get() && reachability.wouldTake();
  }

  private List<EventEnvelope> admitted(List<EventEnvelope> events, BatchResult result) {
    if (closed.get()) {
      deferral.putOff(events, result, deferral::afterClose);
      return List.of();
    }
    if (paused) {
      deferral.putOff(events, result, deferral::whilePaused);
      return List.of();
    }
    return admission.admit(events, result);
  }

  private DestinationHealth.State state() {
    if (closed.get()) {
      return DestinationHealth.State.CLOSED;
    }
    if (paused) {
      return DestinationHealth.State.PAUSED;
    }
    return reachability.isUp() ? DestinationHealth.State.UP : DestinationHealth.State.DOWN;
  }

  /** Builds a {@link GuardedDestination}. */
  public static final class Builder {

    private final Destination destination;
    private GuardSettings settings = GuardSettings.defaults();

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
     * The most events under way at once; default any number, which is the {@code asyncInFlight} of
     * the outbox. Set it where several destinations share that: what a slow one can't have is the
     * others'.
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
      return clocks(clock, clock);
    }

    Builder clocks(Clock clock, Clock spans) {
      settings = settings.withClocks(clock, spans);
      return this;
    }

    public GuardedDestination build() {
      return new GuardedDestination(destination, settings);
    }
  }
}
