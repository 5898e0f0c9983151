package outbox.poller;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import outbox.EventEnvelope;
import outbox.internal.RepeatingTask;
import outbox.internal.Require;
import outbox.internal.SafeLogger;
import outbox.registry.ListenerRegistry;
import outbox.spi.Claim;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventFilter;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.util.JsonCodec;
import outbox.util.Nullable;

/**
 * Finds pending events in the database and hands them over: what the hot path missed, what is due
 * again, and what other nodes left behind.
 *
 * <p>Once started it polls until nothing is left or the handler has no room, then waits: for a
 * moment if it found some, longer each time it finds none, up to the interval; but no longer than
 * until the next event falls due, or until it is woken. With {@code claimLocking} any number of
 * nodes can poll one table: each event is locked for one of them.
 *
 * <p>Safe for all threads. {@link #close} stops polling and leaves what was handed over locked.
 */
public final class OutboxPoller implements AutoCloseable {

  private static final Logger LOG = SafeLogger.of(OutboxPoller.class);

  private final PollerSettings settings;
  private final PollRound round;
  private final PollPace pace;
  private final DueTimes dueTimes = new DueTimes();
  private final Upcoming upcoming;
  private final AtomicBoolean woken = new AtomicBoolean();
  private final RepeatingTask task;
  private boolean goesOn;
  private long begunNanos;

  private OutboxPoller(PollerSettings settings) {
    this.settings = settings;
    round = new PollRound(settings, this::wakeAt);
    pace = new PollPace(settings.interval());
    upcoming = new Upcoming(settings, System::nanoTime, this::wakeAt);
    task = new RepeatingTask("poller", this::pollAndPause, settings.interval());
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Polls from now on; starting twice is harmless, starting after close is refused. */
  public void start() {
    if (task.start()) {
      LOG.log(Level.INFO, "poller started: {0}", settings.describe());
    }
  }

  /** Polls once, for one batch, whether started or not; a failure is logged. */
  public void poll() {
    round.startOver();
    round.run();
  }

  /** Polls as soon as possible if started. */
  public void wake() {
    woken.set(true);
    task.wake();
  }

  /** Polls when this moment has come if started, however long the interval is. */
  public void wakeAt(Instant due) {
    if (dueTimes.add(due)) {
      task.wakeAfter(Duration.between(settings.clock().instant(), due));
    }
  }

  /** Whether this poller would fetch the event, by its filter and by what can be routed now. */
  public boolean takes(EventEnvelope event) {
    return settings.wanted().takes(event);
  }

  /** A claim by this poller that starts now; null if it was built without claim locking. */
  public @Nullable Claim newClaim() {
    return round.newClaim();
  }

  @Override
  public void close() {
    task.close();
    round.end();
  }

  private Duration pollAndPause() {
    boolean isDue = dueTimes.forget(settings.clock().instant());
    boolean isAskedFor = woken.getAndSet(false) || isDue;
    long startNanos = System.nanoTime();
    if (goesOn && (isAskedFor || hasGoneOnForAnInterval(startNanos))) {
      goesOn = false;
      round.begin();
    }
    begunNanos = goesOn ? begunNanos : startNanos;
    PollResult result = round.run();
    Duration pause = pace.after(result, Duration.ofNanos(System.nanoTime() - startNanos));
    follow(result, pause);
    if (result.isAll()) {
      pause = shorter(pause, upcoming.look(round.fetchedUntil()));
    }
    return shorter(pause, dueTimes.untilNext(settings.clock().instant()));
  }

  /** What was handed over and came to nothing is offered again then, whatever else comes. */
  private boolean hasGoneOnForAnInterval(long nanos) {
    return Duration.ofNanos(nanos - begunNanos).compareTo(settings.interval()) >= 0;
  }

  private void follow(PollResult result, Duration pause) {
    goesOn = result.isAll() && pause.compareTo(settings.interval()) < 0;
    if (goesOn) {
      round.goOn();
    } else if (result != PollResult.FULL && result != PollResult.NO_ROOM) {
      round.begin();
    }
  }

  private static Duration shorter(Duration one, @Nullable Duration other) {
    return other != null && other.compareTo(one) < 0 ? other : one;
  }

  /** Sets up a poller; connection provider, store and handler are required. */
  public static final class Builder {

    private @Nullable ConnectionProvider connectionProvider;
    private @Nullable OutboxStore outboxStore;
    private @Nullable OutboxPollerHandler handler;
    private Duration skipRecent = Duration.ZERO;
    private int batchSize = 50;
    private Duration interval = Duration.ofSeconds(5);
    private MetricsExporter metrics = MetricsExporter.NOOP;
    private PollerSettings.@Nullable Claiming claiming;
    private JsonCodec jsonCodec = JsonCodec.getDefault();
    private Supplier<EventFilter> filter = () -> EventFilter.ALL;
    private @Nullable ListenerRegistry routableBy;
    private @Nullable Clock clock;

    private Builder() {}

    public Builder connectionProvider(ConnectionProvider connectionProvider) {
      this.connectionProvider = connectionProvider;
      return this;
    }

    public Builder outboxStore(OutboxStore outboxStore) {
      this.outboxStore = outboxStore;
      return this;
    }

    public Builder handler(OutboxPollerHandler handler) {
      this.handler = handler;
      return this;
    }

    /** Leaves events alone that are younger than this; default none. */
    public Builder skipRecent(Duration skipRecent) {
      this.skipRecent = Require.notNegative("skipRecent", skipRecent);
      return this;
    }

    /** The most events fetched at once; default 50. */
    public Builder batchSize(int batchSize) {
      this.batchSize = batchSize;
      return this;
    }

    /** The longest to wait when nothing is left; default 5000. */
    public Builder intervalMs(long intervalMs) {
      this.interval = Duration.ofMillis(intervalMs);
      return this;
    }

    public Builder metrics(MetricsExporter metrics) {
      this.metrics = metrics;
      return this;
    }

    /** Locks what is fetched, under a name of its own making. */
    public Builder claimLocking(Duration lockTimeout) {
      return claimLocking("poller-" + UUID.randomUUID(), lockTimeout);
    }

    /**
     * Locks what is fetched for this owner, which must be unique among the nodes. A dispatcher
     * renews the locks of what waits or is being delivered; once that has ceased for as long as the
     * timeout, which should be the same on all nodes, others may take the event over.
     */
    public Builder claimLocking(String ownerId, Duration lockTimeout) {
      this.claiming = new PollerSettings.Claiming(ownerId, lockTimeout);
      return this;
    }

    /** What reads the headers; default: {@link JsonCodec#getDefault()}. */
    public Builder jsonCodec(JsonCodec jsonCodec) {
      this.jsonCodec = jsonCodec;
      return this;
    }

    /** Takes only these events and leaves the rest to other pollers; default: all. */
    public Builder filter(EventFilter filter) {
      Require.given("filter", filter);
      return filter(() -> filter);
    }

    /** Likewise, asked before each poll. */
    public Builder filter(Supplier<EventFilter> filter) {
      this.filter = filter;
      return this;
    }

    /**
     * Takes only event types that this registry has a listener for when it is polled, so that an
     * old node doesn't take what only a new one knows; default: all. A registry that can't tell its
     * event types is refused.
     */
    public Builder routableBy(ListenerRegistry registry) {
      Require.given("registry", registry);
      Require.check(
          registry.eventTypes().isPresent(),
          "registry",
          "one that tells its event types",
          registry.getClass().getName());
      this.routableBy = registry;
      return this;
    }

    /** What decides whether an event is due; default: the store's clock. */
    public Builder clock(Clock clock) {
      this.clock = clock;
      return this;
    }

    public OutboxPoller build() {
      ConnectionProvider connections = Require.given("connectionProvider", connectionProvider);
      OutboxStore store = Require.given("outboxStore", outboxStore);
      PollerSettings settings =
          new PollerSettings(
              connections,
              store,
              Require.given("handler", handler),
              skipRecent,
              batchSize,
              interval,
              metrics,
              claiming,
              jsonCodec,
              new Wanted(filter, routableBy),
              clock == null ? store.clock() : clock);
      OutboxPoller poller = new OutboxPoller(settings);
      settings.handler().attached(poller);
      return poller;
    }
  }
}
