package outbox.dispatch;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import outbox.EventEnvelope;
import outbox.internal.ErrorText;
import outbox.internal.GuardedMetrics;
import outbox.internal.Require;
import outbox.poller.OutboxPoller;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.util.DaemonThreadFactory;
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

  private final MetricsExporter metrics;
  private final FairQueue queue;
  private final ByteBudget budget;
  private final InFlight inFlight;
  private final Intake intake;
  private final Router router;
  private final WorkerPool workers;
  private final Completer completer;
  private final LeaseKeeper leases;
  private final UnroutablePolicy unroutable;
  private final AttachedPoller poller = new AttachedPoller();
  private final HotPath hot;

  private OutboxDispatcher(DispatcherSettings settings) {
    metrics = GuardedMetrics.guard(settings.metrics());
    unroutable = settings.unroutable();
    router = new Router(settings.listenerRegistry());
    queue = new FairQueue(settings.hotQueueCapacity(), settings.coldQueueCapacity());
    budget = new ByteBudget(settings.queueBytes());
    inFlight = new InFlight(settings.inFlightTracker(), budget, this::enqueueNext);
    intake = new Intake(inFlight, queue, metrics);
    DispatchReport report = new DispatchReport(settings, metrics, poller::wakeAt, poller::wake);
    StatusWriter writer =
        new StatusWriter(settings.connectionProvider(), settings.outboxStore(), report);
    completer = new Completer(writer, report, budget.part());
    leases = new LeaseKeeper(inFlight, completer, settings.outboxStore());
    HotRoom room = new HotRoom(queue, budget, settings.hotQueueCapacity());
    Overflow overflow = new Overflow(completer, poller);
    hot = new HotPath(intake, inFlight, room, leases, poller, overflow);
    workers = new WorkerPool(settings, queue, completer, leases, report, intake);
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * False if the hot queue is full, in events or in bytes, or this dispatcher is closing; the event
   * stays in the database.
   */
  public boolean enqueueHot(QueuedEvent event) {
    return intake.take(event.from(QueuedEvent.Source.HOT));
  }

  /** Likewise for the cold queue. */
  public boolean enqueueCold(QueuedEvent event) {
    return enqueueFetched(event.from(QueuedEvent.Source.COLD), null, null);
  }

  /**
   * Like {@link #enqueueCold} for an event that somebody follows until its end. False also if the
   * event is in these hands already; then nobody is told of its end. One that was taken over may
   * have killed the process that tried it before, so its try counts at the start.
   */
  public boolean enqueueFollowed(QueuedEvent event, Custody custody, boolean takenOver) {
    return intake.takeFollowed(event.from(QueuedEvent.Source.COLD), new Lease(custody, takenOver));
  }

  /**
   * Whether it is of no use to bring events of this kind now: their listener would only put them
   * off, or hangs with as many as it may have.
   */
  public boolean isHeldUp(String aggregateType, String eventType) {
    return workers.isHeldUp(router.listenerFor(aggregateType, eventType));
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

  boolean enqueueFetched(QueuedEvent event, @Nullable Lease lease, @Nullable Instant lateSince) {
    return intake.takeFetched(event, lease, lateSince);
  }

  void pollStarts() {
    inFlight.pollStarts();
  }

  boolean pollEnds() {
    return inFlight.pollEnds();
  }

  /** From now on the poller is woken when there is something to fetch. */
  void attach(OutboxPoller attached) {
    poller.attach(attached);
    leases.start(attached.newClaim());
  }

  /** How many events the poller may fetch now: none while their claims could not be renewed. */
  int roomForFetched() {
    return leases.areKept() ? coldQueueRemainingCapacity() : 0;
  }

  /** False if a committed event is others' to deliver: not fetched here, or without a listener. */
  public boolean takes(EventEnvelope event) {
    return poller.takes(event)
        && (unroutable == UnroutablePolicy.DEAD || router.hasListenerFor(event));
  }

  long availableBytes() {
    return budget.free();
  }

  HotPath hot() {
    return hot;
  }

  MetricsExporter metrics() {
    return metrics;
  }

  /** What was fetched while its last try was being written has its turn now. */
  private void enqueueNext(Delivery next) {
    if (!enqueueFetched(next.event(), next.lease(), next.lateSince())) {
      Lease lease = next.lease();
      hot.leaveToPoller(List.of(next.event()), lease == null ? null : lease.claim());
    }
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
    private ThreadFactory workerThreads = new DaemonThreadFactory("outbox-worker-");
    private @Nullable Integer hotQueueCapacity;
    private int coldQueueCapacity = 1000;
    private MetricsExporter metrics = MetricsExporter.NOOP;
    private final List<EventInterceptor> interceptors = new ArrayList<>();
    private Duration drainTimeout = Duration.ofSeconds(5);
    private CompletionMode completion = CompletionMode.MARK_DONE;
    private @Nullable Duration dispatchTimeout;
    private UnroutablePolicy unroutable = UnroutablePolicy.DEAD;
    private ErrorRedactor errorRedactor = ErrorRedactor.withoutPayload();
    private int lastErrorMaxLength = ErrorText.MAX_LENGTH;
    private long queueBytes = ByteBudget.byDefault();
    private int asyncInFlight = 256;
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

    /** What runs listeners, virtual threads included; default: daemon threads. */
    public Builder workerThreads(ThreadFactory workerThreads) {
      this.workerThreads = workerThreads;
      return this;
    }

    /** Default 1000. */
    public Builder hotQueueCapacity(int hotQueueCapacity) {
      this.hotQueueCapacity = hotQueueCapacity;
      return this;
    }

    /** Whether a capacity of the hot queue was given: it means nothing where nothing is hot. */
    public boolean hasHotQueueCapacity() {
      return hotQueueCapacity != null;
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

    /** How long a listener may take before it is interrupted and has failed; default: for ever. */
    public Builder dispatchTimeout(Duration dispatchTimeout) {
      this.dispatchTimeout = Require.positive("dispatchTimeout", dispatchTimeout);
      return this;
    }

    /** What becomes of events that no listener is registered for; default: they are DEAD. */
    public Builder unroutable(UnroutablePolicy unroutable) {
      this.unroutable = unroutable;
      return this;
    }

    /** Default: {@link ErrorRedactor#withoutPayload()}. */
    public Builder errorRedactor(ErrorRedactor errorRedactor) {
      this.errorRedactor = errorRedactor;
      return this;
    }

    /** The most characters of {@code last_error}; default, and at most, 4000. */
    public Builder lastErrorMaxLength(int lastErrorMaxLength) {
      this.lastErrorMaxLength = lastErrorMaxLength;
      return this;
    }

    /** The most bytes of all events in memory; default 64 MiB, or an eighth of a smaller heap. */
    public Builder queueBytes(long queueBytes) {
      this.queueBytes = queueBytes;
      return this;
    }

    /** How many events all asynchronous listeners have under way; default 256, alone 7/8 of it. */
    public Builder asyncInFlight(int asyncInFlight) {
      this.asyncInFlight = asyncInFlight;
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
                  workerThreads,
                  hotQueueCapacity == null ? 1000 : hotQueueCapacity,
                  coldQueueCapacity,
                  metrics,
                  interceptors,
                  drainTimeout,
                  completion,
                  dispatchTimeout,
                  unroutable,
                  errorRedactor,
                  lastErrorMaxLength,
                  queueBytes,
                  asyncInFlight,
                  clock == null ? store.clock() : clock));
      dispatcher.workers.start();
      return dispatcher;
    }
  }
}
