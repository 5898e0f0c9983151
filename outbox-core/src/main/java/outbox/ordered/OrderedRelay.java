package outbox.ordered;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import outbox.OutboxException;
import outbox.dispatch.OutboxDispatcher;
import outbox.internal.RepeatingTask;
import outbox.internal.Require;
import outbox.internal.SafeLogger;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventFilter;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.util.JsonCodec;
import outbox.util.Nullable;

/**
 * Delivers the events of each aggregate one after the other, in the order of their numbers, and
 * different aggregates beside each other, on any number of nodes.
 *
 * <p>The nodes that have the same relay share its partitions: each aggregate belongs to one of
 * them, and each partition to one node at a time. {@link #store} is what the dispatcher has to
 * write with; {@link #start} lets it have events.
 *
 * <p>Safe for all threads. To end, {@link #close} this, then the dispatcher, which ends what it
 * has, then {@link #leave}.
 */
public final class OrderedRelay implements AutoCloseable {

  private static final Logger LOG = SafeLogger.of(OrderedRelay.class);

  /** The name of the relay of those who don't give theirs a name. */
  public static final String DEFAULT_NAME = "default";

  private final OrderedSettings settings;
  private final Lanes lanes;
  private final FencedStore fenced;
  private final Membership membership;
  private final HeldUp heldUp = new HeldUp();
  private final RepeatingTask upkeep;
  private final RepeatingTask reading;

  private OrderedRelay(OrderedSettings settings) {
    this.settings = settings;
    lanes = new Lanes(settings.lanes(), settings.store().clock(), heldUp);
    fenced = new FencedStore(settings.store(), lanes, settings.lanes().onDead());
    membership = new Membership(settings, lanes);
    Burial burial = new Burial(settings.connections(), fenced, settings.metrics());
    Scanner scanner = new Scanner(settings, lanes, burial, heldUp);
    upkeep = new RepeatingTask("partitions", membership::run, Duration.ofSeconds(1));
    reading = new RepeatingTask("ordered", scanner::run, settings.interval());
  }

  public static Builder builder() {
    return new Builder();
  }

  /** What the dispatcher writes statuses with: only while this node is the owner. */
  public OutboxStore store() {
    return fenced;
  }

  /**
   * Takes part from now on.
   *
   * @throws IllegalStateException if other nodes divide the relay into another number of
   *     partitions, or after close
   */
  public void start(OutboxDispatcher dispatcher) {
    try {
      membership.join();
    } catch (SQLException e) {
      throw new OutboxException("could not join the nodes of relay " + settings.relay(), e);
    }
    heldUp.start(dispatcher::isHeldUp);
    lanes.start(dispatcher, reading::wake);
    upkeep.start();
    reading.start();
    LOG.log(Level.INFO, "ordered relay started: {0}", settings.describe());
  }

  /** Reads as soon as possible. */
  public void wake() {
    reading.wake();
  }

  /** Hands nothing more over; each partition is given up when the last of its events has ended. */
  @Override
  public void close() {
    membership.retire();
    reading.close();
    lanes.stop();
    lanes.takeFaulty().forEach(turn -> turn.ended(null));
    upkeep.wake();
  }

  /** Gives the partitions to the other nodes, if nothing of them is being delivered any more. */
  public void leave() {
    upkeep.close();
    membership.leave();
  }

  /** Sets up a relay; connection provider and store are required. */
  public static final class Builder {

    private static final int CAPACITY = 8_000;
    private static final long MOST_BYTES = 64L << 20;
    private static final int PART_OF_HEAP = 8;

    private @Nullable ConnectionProvider connectionProvider;
    private @Nullable OutboxStore outboxStore;
    private String relay = DEFAULT_NAME;
    private String nodeId = "node-" + UUID.randomUUID();
    private int partitions = 64;
    private boolean keyed = true;
    private OnDead onDead = OnDead.BLOCK_KEY;
    private Duration lease = Duration.ofSeconds(15);
    private int batchSize = 1000;
    private Duration interval = Duration.ofSeconds(1);
    private Duration sweepInterval = Duration.ofSeconds(30);
    private EventFilter filter = EventFilter.ALL;
    private JsonCodec jsonCodec = JsonCodec.getDefault();
    private MetricsExporter metrics = MetricsExporter.NOOP;

    private Builder() {}

    public Builder connectionProvider(ConnectionProvider connectionProvider) {
      this.connectionProvider = connectionProvider;
      return this;
    }

    public Builder outboxStore(OutboxStore outboxStore) {
      this.outboxStore = outboxStore;
      return this;
    }

    /** Nodes of the same name share their work; default {@value OrderedRelay#DEFAULT_NAME}. */
    public Builder relay(String relay) {
      this.relay = relay;
      return this;
    }

    /** What people know this node by; need not be unique. */
    public Builder nodeId(String nodeId) {
      this.nodeId = nodeId;
      return this;
    }

    /** Into how many parts work is divided: a power of two up to 1024; default 64. */
    public Builder partitions(int partitions) {
      this.partitions = partitions;
      return this;
    }

    /** Whether events of one aggregate are kept in order; default: they are. */
    public Builder keyed(boolean keyed) {
      this.keyed = keyed;
      return this;
    }

    /** Default: those behind a dead event wait for an operator. */
    public Builder onDead(OnDead onDead) {
      this.onDead = Require.given("onDead", onDead);
      return this;
    }

    /** How long the partitions of a node that died stay with it; default 15 s. */
    public Builder lease(Duration lease) {
      this.lease = Require.positive("lease", lease);
      return this;
    }

    /** The most events read at once; default 1000. */
    public Builder batchSize(int batchSize) {
      this.batchSize = batchSize;
      return this;
    }

    /** How often to look when nothing else happens; default 1 s. */
    public Builder interval(Duration interval) {
      this.interval = interval;
      return this;
    }

    /** How often to look for what became pending again by itself; default 30 s. */
    public Builder sweepInterval(Duration sweepInterval) {
      this.sweepInterval = sweepInterval;
      return this;
    }

    public Builder filter(EventFilter filter) {
      this.filter = filter;
      return this;
    }

    public Builder jsonCodec(JsonCodec jsonCodec) {
      this.jsonCodec = jsonCodec;
      return this;
    }

    public Builder metrics(MetricsExporter metrics) {
      this.metrics = metrics;
      return this;
    }

    public OrderedRelay build() {
      long mostBytes = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
      return new OrderedRelay(
          new OrderedSettings(
              Require.given("connectionProvider", connectionProvider),
              Require.given("outboxStore", outboxStore),
              relay,
              nodeId,
              lease,
              new LaneSettings(
                  partitions, keyed, onDead, CAPACITY, mostBytes, LaneSettings.MOST_KEYS),
              batchSize,
              interval,
              sweepInterval,
              filter,
              jsonCodec,
              metrics));
    }
  }
}
