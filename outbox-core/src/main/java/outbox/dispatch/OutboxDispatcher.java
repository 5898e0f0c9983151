package outbox.dispatch;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import outbox.EventEnvelope;
import outbox.internal.GuardedMetrics;
import outbox.internal.Require;
import outbox.poller.OutboxPoller;
import outbox.registry.ListenerRegistry;
import outbox.spi.Claim;
import outbox.spi.ConnectionProvider;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/**
 * Delivers queued events to their listeners and writes what became of them: DONE, RETRY or DEAD.
 *
 * <p>Events wait in two bounded queues, hot ones straight from a commit and cold ones from the
 * database; worker threads take two hot for each cold one and run the listener on their own thread,
 * so {@code workerCount} is the number of events handled at once. Statuses are written in groups by
 * one further thread. An event is in this dispatcher's hands at most once, from the moment it is
 * queued until its status is written.
 *
 * <p>Safe for all threads. {@link #close} delivers what is queued, for {@code drainTimeoutMs} at
 * most, and gives back the rest without counting an attempt.
 */
public final class OutboxDispatcher implements AutoCloseable {

  private static final Logger LOG = System.getLogger(OutboxDispatcher.class.getName());

  private final MetricsExporter metrics;
  private final FairQueue queue;
  private final InFlight inFlight;
  private final WorkerPool workers;
  private final Completer completer;
  private final LeaseKeeper leases;
  private final AtomicReference<@Nullable OutboxPoller> poller = new AtomicReference<>();
  private final HotRoom hotRoom;

  private OutboxDispatcher(DispatcherSettings settings) {
    metrics = GuardedMetrics.guard(settings.metrics());
    queue = new FairQueue(settings.hotQueueCapacity(), settings.coldQueueCapacity());
    hotRoom = new HotRoom(queue, settings.hotQueueCapacity());
    inFlight = new InFlight(settings.inFlightTracker(), this::enqueueNext);
    DispatchReport report = new DispatchReport(metrics, this::wakePollerAt, this::wakePoller);
    completer =
        new Completer(
            new StatusWriter(settings.connectionProvider(), settings.outboxStore(), report),
            report);
    leases = new LeaseKeeper(inFlight, completer, settings.clock());
    workers = new WorkerPool(settings, queue, completer, leases, report, this::recordDepths);
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * False if the hot queue is full or this dispatcher is closing; the event stays in the database.
   */
  public boolean enqueueHot(QueuedEvent event) {
    return enqueue(as(QueuedEvent.Source.HOT, event));
  }

  /**
   * False if the cold queue is full or this dispatcher is closing; the event stays in the database.
   */
  public boolean enqueueCold(QueuedEvent event) {
    return enqueueFetched(as(QueuedEvent.Source.COLD, event), null);
  }

  /** How many events straight from a commit wait. */
  public int hotQueueSize() {
    return queue.hotDepth();
  }

  /** How many events from the database wait. */
  public int coldQueueSize() {
    return queue.coldDepth();
  }

  /** How many events wait, are being delivered, or have a status still to be written. */
  public int inFlightCount() {
    return inFlight.count();
  }

  public int coldQueueRemainingCapacity() {
    return queue.coldRemainingCapacity();
  }

  @Override
  public void close() {
    workers.close();
  }

  /** True if the event is in this dispatcher's hands now, or was already. */
  private boolean enqueue(QueuedEvent event) {
    return unlessTrackerFails(event, () -> offer(event, inFlight.hold(event, null)));
  }

  /** The events come straight after their commit, unless the poller comes first. */
  void announce(List<EventEnvelope> events) {
    events.forEach(event -> inFlight.announce(event.eventId()));
  }

  void forget(List<EventEnvelope> events) {
    events.forEach(event -> inFlight.wasTaken(event.eventId()));
  }

  /** Like enqueue for an event that has just been committed here. */
  boolean enqueueCommitted(QueuedEvent event, @Nullable Claim claim) {
    return unlessTrackerFails(
        event,
        () -> {
          Lease lease = claim == null ? null : new Lease(claim, false);
          Delivery delivery = inFlight.hold(event, lease);
          return offer(event, delivery, inFlight.wasTaken(event.envelope().eventId()));
        });
  }

  /** Like enqueue for an event that the poller fetched, which may be late or early. */
  boolean enqueueFetched(QueuedEvent event, @Nullable Lease lease) {
    return unlessTrackerFails(
        event,
        () -> {
          Delivery delivery = inFlight.holdFetched(event, lease);
          return offer(event, delivery, inFlight.isStale(event));
        });
  }

  void pollStarts() {
    inFlight.pollStarts();
  }

  void pollEnds() {
    inFlight.pollEnds();
  }

  /** From now on the poller is woken when there is something to fetch. */
  void attach(OutboxPoller poller) {
    this.poller.set(poller);
    Claim claim = poller.newClaim();
    if (claim != null) {
      leases.start(claim.timeout());
    }
  }

  /** Whether events in the table go to the node that claims them first. */
  boolean claimsEvents() {
    OutboxPoller attached = poller.get();
    return attached != null && attached.newClaim() != null;
  }

  /**
   * The claim for events about to be written, with room for them in the hot queue that is to be
   * given back; null where pollers claim nothing, or without room.
   */
  @Nullable
  Claim newClaim(int events) {
    OutboxPoller attached = poller.get();
    Claim claim = attached == null ? null : attached.newClaim();
    return claim != null && hotRoom.reserve(claim, events) ? claim : null;
  }

  /** How many of these events may be kept until their commit, under no claim. */
  int reserveToKeep(Object holder, int events) {
    return claimsEvents() ? 0 : hotRoom.reserveToKeep(holder, events);
  }

  void giveRoomBack(Object holder) {
    hotRoom.giveBack(holder);
  }

  /** Gives events that found no room back to the database and has them polled after that. */
  void leaveToPoller(List<QueuedEvent> events, @Nullable Claim claim) {
    if (claim == null) {
      wakePoller();
      return;
    }
    for (QueuedEvent event : events) {
      Delivery delivery = new Delivery(event, InFlight.Hold.NONE, new Lease(claim, false));
      completer.offer(new Completion(delivery, new Outcome.Released()));
    }
  }

  MetricsExporter metrics() {
    return metrics;
  }

  /** What is overtaken has been in these hands since, and is let go. */
  private boolean offer(QueuedEvent event, @Nullable Delivery delivery, boolean overtaken) {
    if (delivery != null && overtaken) {
      delivery.hold().untried();
      return true;
    }
    return offer(event, delivery);
  }

  private boolean offer(QueuedEvent event, @Nullable Delivery delivery) {
    boolean isHot = event.source() == QueuedEvent.Source.HOT;
    if (delivery == null) {
      return queue.hasRoom(isHot);
    }
    if (!queue.offer(delivery)) {
      delivery.hold().untried();
      return false;
    }
    if (isHot) {
      metrics.incrementHotEnqueued();
    } else {
      metrics.incrementColdEnqueued();
    }
    recordDepths();
    return true;
  }

  private static boolean unlessTrackerFails(QueuedEvent event, BooleanSupplier enqueue) {
    try {
      return enqueue.getAsBoolean();
    } catch (Throwable e) {
      LOG.log(
          Level.ERROR, () -> "in-flight tracker failed; not queued now: " + event.envelope(), e);
      return false;
    }
  }

  /** What was fetched while its last try was being written has its turn now. */
  private void enqueueNext(Delivery next) {
    if (!enqueueFetched(next.event(), next.lease())) {
      Lease lease = next.lease();
      leaveToPoller(List.of(next.event()), lease == null ? null : lease.claim());
    }
  }

  private void wakePoller() {
    OutboxPoller attached = poller.get();
    if (attached != null) {
      attached.wake();
    }
  }

  void wakePollerAt(List<Instant> dueTimes) {
    dueTimes.forEach(this::wakePollerAt);
  }

  private void wakePollerAt(Instant due) {
    OutboxPoller attached = poller.get();
    if (attached != null) {
      attached.wakeAt(due);
    }
  }

  private void recordDepths() {
    if (metrics != MetricsExporter.NOOP) {
      metrics.recordQueueDepths(queue.hotDepth(), queue.coldDepth());
    }
  }

  private static QueuedEvent as(QueuedEvent.Source source, QueuedEvent event) {
    Objects.requireNonNull(event, "event must not be null");
    return event.source() == source
        ? event
        : new QueuedEvent(event.envelope(), source, event.attempts());
  }

  /** Sets up a dispatcher; connection provider, store and listener registry are required. */
  public static final class Builder {

    private @Nullable ConnectionProvider connectionProvider;
    private @Nullable OutboxStore outboxStore;
    private @Nullable ListenerRegistry listenerRegistry;
    private @Nullable InFlightTracker inFlightTracker;
    private RetryPolicy retryPolicy = new ExponentialBackoffRetryPolicy(200, 60_000);
    private int maxAttempts = 10;
    private int workerCount = 4;
    private int hotQueueCapacity = 1000;
    private int coldQueueCapacity = 1000;
    private MetricsExporter metrics = MetricsExporter.NOOP;
    private final List<EventInterceptor> interceptors = new ArrayList<>();
    private Duration drainTimeout = Duration.ofSeconds(5);
    private CompletionMode completion = CompletionMode.MARK_DONE;
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

    public Builder listenerRegistry(ListenerRegistry listenerRegistry) {
      this.listenerRegistry = listenerRegistry;
      return this;
    }

    /** Default: {@link DefaultInFlightTracker} without expiry. */
    public Builder inFlightTracker(InFlightTracker inFlightTracker) {
      this.inFlightTracker =
          Objects.requireNonNull(inFlightTracker, "inFlightTracker must not be null");
      return this;
    }

    /** Default: 0.2 s doubling up to 60 s. */
    public Builder retryPolicy(RetryPolicy retryPolicy) {
      this.retryPolicy = retryPolicy;
      return this;
    }

    /** How many tries an event gets before it is DEAD; default 10. */
    public Builder maxAttempts(int maxAttempts) {
      this.maxAttempts = maxAttempts;
      return this;
    }

    /** How many events are handled at once; default 4. With 0 nothing is delivered. */
    public Builder workerCount(int workerCount) {
      this.workerCount = workerCount;
      return this;
    }

    /** Default 1000. */
    public Builder hotQueueCapacity(int hotQueueCapacity) {
      this.hotQueueCapacity = hotQueueCapacity;
      return this;
    }

    /** Default 1000. */
    public Builder coldQueueCapacity(int coldQueueCapacity) {
      this.coldQueueCapacity = coldQueueCapacity;
      return this;
    }

    public Builder metrics(MetricsExporter metrics) {
      this.metrics = metrics;
      return this;
    }

    /** Adds one more interceptor. */
    public Builder interceptor(EventInterceptor interceptor) {
      interceptors.add(Objects.requireNonNull(interceptor, "interceptor must not be null"));
      return this;
    }

    /** Adds all of these interceptors. */
    public Builder interceptors(List<EventInterceptor> interceptors) {
      interceptors.forEach(this::interceptor);
      return this;
    }

    /** How long {@link #close} goes on delivering what is queued; default 5000. */
    public Builder drainTimeoutMs(long drainTimeoutMs) {
      this.drainTimeout = Duration.ofMillis(drainTimeoutMs);
      return this;
    }

    /** What becomes of delivered events' rows; default: they stay, DONE. */
    public Builder completion(CompletionMode completion) {
      this.completion = completion;
      return this;
    }

    /** What retries are scheduled by; default: the store's clock. */
    public Builder clock(Clock clock) {
      this.clock = clock;
      return this;
    }

    /** Starts the workers, too. */
    public OutboxDispatcher build() {
      ConnectionProvider connections = Require.given("connectionProvider", connectionProvider);
      OutboxStore store = Require.given("outboxStore", outboxStore);
      OutboxDispatcher dispatcher =
          new OutboxDispatcher(
              new DispatcherSettings(
                  connections,
                  store,
                  Require.given("listenerRegistry", listenerRegistry),
                  inFlightTracker == null ? new DefaultInFlightTracker() : inFlightTracker,
                  retryPolicy,
                  maxAttempts,
                  workerCount,
                  hotQueueCapacity,
                  coldQueueCapacity,
                  metrics,
                  interceptors,
                  drainTimeout,
                  completion,
                  clock == null ? store.clock() : clock));
      dispatcher.workers.start();
      return dispatcher;
    }
  }
}
