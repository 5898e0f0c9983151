package outbox.ordered;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.internal.EventSize;
import outbox.internal.FetchSize;
import outbox.internal.GuardedMetrics;
import outbox.internal.SafeLogger;
import outbox.internal.Transactions;
import outbox.model.EventKey;
import outbox.spi.MetricsExporter;
import outbox.spi.OrderedPage;
import outbox.spi.OrderedScan;
import outbox.spi.OrderedStore;
import outbox.util.Nullable;

/**
 * Reads the events of this node's partitions in the order of their numbers and gives them to the
 * lanes: what is new, what lanes have to read again, and, in a slow sweep over everything, what
 * became pending again far below.
 */
final class Scanner {

  private static final Logger LOG = SafeLogger.of(OrderedRelay.class);

  /** What was written longer ago than this has no transaction around it that just began. */
  private static final Duration LONG_AGO = Duration.ofSeconds(2);

  private static final Duration REVEALED = Duration.ofMillis(200);

  /** How many rows that wait in the database are read over in search of others. */
  private static final int MOST_OVERREAD = 20_000;

  private static final Duration OPEN_PAUSE = Duration.ofMillis(100);

  private final OrderedSettings settings;
  private final OrderedStore store;
  private final Lanes lanes;
  private final Clock clock;
  private final EntryReader reader;
  private final Burial burial;
  private final HeldUp heldUp;
  private final MetricsExporter metrics;
  private final Frontier frontier = new Frontier();
  private final FetchSize size = new FetchSize();
  private Map<EventKey, Long> openKeys = Map.of();
  private int overread;
  private long revealedNanos = System.nanoTime() - REVEALED.toNanos();
  private long sweptUpTo = Long.MAX_VALUE;
  private long nextSweepNanos;
  private long gains;

  Scanner(OrderedSettings settings, Lanes lanes, Burial burial, HeldUp heldUp) {
    this.settings = settings;
    this.store = settings.store().ordered();
    this.lanes = lanes;
    this.clock = settings.store().clock();
    this.reader = new EntryReader(settings.jsonCodec());
    this.burial = burial;
    this.heldUp = heldUp;
    this.metrics = GuardedMetrics.guard(settings.metrics());
    nextSweepNanos = System.nanoTime() + settings.sweepInterval().toNanos();
  }

  /** Reads what there is and room for; returns how long nothing more is to be expected. */
  Duration run() {
    heldUp.ask();
    lanes.deliver();
    burial.bury(lanes.takeFaulty());
    Holdings.Share share = lanes.share();
    if (share.buckets().isEmpty()) {
      return settings.interval();
    }
    try {
      rewindFor(share);
      boolean isAtEnd = readOn(share);
      boolean isRefilled = refill(share);
      sweep(share);
      lanes.deliver();
      return isAtEnd && isRefilled ? pause() : Duration.ZERO;
    } catch (SQLException | RuntimeException e) {
      size.failed();
      LOG.log(Level.ERROR, "reading failed; it is tried again in " + settings.interval(), e);
      return settings.interval();
    }
  }

  private Duration pause() {
    Duration most = frontier.hasOpenEvents() ? OPEN_PAUSE : settings.interval();
    return lanes.untilNextDue(most);
  }

  /** Of partitions that were others' everything is still to be read, and in order. */
  private void rewindFor(Holdings.Share share) throws SQLException {
    if (share.gains() != gains) {
      long beginning = Transactions.onConnection(settings.connections(), store::beginning);
      gains = share.gains();
      frontier.rewind(beginning);
      openKeys = Map.of();
      sweptUpTo = Long.MAX_VALUE;
    }
  }

  /** Reads one page; false if there is more to read at once. */
  private boolean readOn(Holdings.Share share) throws SQLException {
    int room = lanes.room(settings.batchSize());
    long start = frontier.start();
    int readAgain = start < frontier.highest() ? lanes.events() + overread : 0;
    int limit = room == 0 ? 0 : limit(room + readAgain);
    if (limit <= 0) {
      return true; // somebody wakes this when there is room
    }
    boolean isRevealed = reveal();
    long asked = System.nanoTime();
    OrderedPage page = read(everything(share, start, Long.MAX_VALUE, limit));
    boolean isLast = !isFull(page, limit);
    if (!frontier.accept(page, start, isLast, isOld(page), isRevealed, asked)) {
      return false;
    }
    openKeys = openKeys(page);
    boolean isOfUse = takeIn(page, share, limit);
    recordLag(page);
    overread = isLast || isOfUse ? 0 : Math.min(overread + limit, MOST_OVERREAD);
    return isLast || overread == MOST_OVERREAD;
  }

  /** True if what was open a moment ago shows; needed only to be sure of what was read. */
  private boolean reveal() throws SQLException {
    boolean isRecent = System.nanoTime() - revealedNanos < REVEALED.toNanos();
    if (isRecent || !frontier.isUncertain()) {
      return isRecent;
    }
    long start = System.nanoTime();
    Transactions.onConnection(
        settings.connections(),
        connection -> {
          store.reveal(connection);
          return store;
        });
    revealedNanos = start;
    return true;
  }

  /** As many as fit into memory, for what is here already is read over. */
  private int limit(int rows) {
    return size.next(rows, lanes.roomInBytes());
  }

  private OrderedScan everything(Holdings.Share share, long after, long upTo, int limit) {
    return new OrderedScan(
        after,
        upTo,
        limit,
        share.buckets(),
        Set.of(),
        lanes.passedOver(frontier.settled()),
        settings.filter(),
        Math.min(upTo, frontier.highest()),
        FetchSize.bytes(lanes.roomInBytes()));
  }

  private OrderedPage read(OrderedScan scan) throws SQLException {
    lanes.readStarts();
    long start = System.nanoTime();
    boolean isRead = false;
    try {
      OrderedPage page =
          Transactions.onConnection(
              settings.connections(),
              connection -> {
                settings.store().alignClock(connection);
                return store.read(connection, scan);
              });
      isRead = true;
      return page;
    } finally {
      metrics.recordPoll(isRead, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  /** Whether there may be more behind its last row. */
  private static boolean isFull(OrderedPage page, int limit) {
    return page.isCut() || page.rows().size() >= limit;
  }

  private static long lastOf(OrderedPage page) {
    return page.rows().get(page.rows().size() - 1).seq();
  }

  /** False if none of it was wanted. */
  private boolean takeIn(OrderedPage page, Holdings.Share share, int limit) {
    boolean isOfUse = false;
    for (OrderedPage.Row row : page.rows()) {
      if (!lanes.wants(row, share)) {
        continue;
      }
      isOfUse = true;
      Entry entry = isBehindOpen(row) ? null : entry(row, share);
      if (entry == null) {
        lanes.leave(row, share);
      } else {
        lanes.add(row, entry, share);
      }
    }
    size.fetched(limit);
    return isOfUse;
  }

  /** Whether an earlier event of the aggregate may still be on its way. */
  private boolean isBehindOpen(OrderedPage.Row row) {
    EventKey key = settings.lanes().keyOf(row.event());
    return key != null && row.seq() > openKeys.getOrDefault(key, Long.MAX_VALUE);
  }

  /** Null if the partition has become others' meanwhile. */
  private @Nullable Entry entry(OrderedPage.Row row, Holdings.Share share) {
    Long epoch = lanes.epochOf(row, share);
    if (epoch == null) {
      return null;
    }
    Entry entry = reader.read(row, epoch);
    if (entry.fault() == null) {
      heldUp.meets(HeldUp.Kind.of(entry));
    }
    size.saw(EventSize.of(entry.event().envelope(), row.event()));
    return entry;
  }

  /** The lowest number of each aggregate that may still be on its way. */
  private static Map<EventKey, Long> openKeys(OrderedPage page) {
    Map<EventKey, Long> open = new HashMap<>();
    for (OrderedPage.OpenEvent event : page.openEvents()) {
      if (event.key() != null) {
        open.merge(event.key(), event.seq(), Math::min);
      }
    }
    return open;
  }

  /** Reads what lanes have left to the database; false if there may be more of that. */
  private boolean refill(Holdings.Share share) throws SQLException {
    Refill refill =
        lanes.isFull() ? null : lanes.nextRefill(frontier.settled(), frontier.highest());
    if (refill == null) {
      return true;
    }
    int wanted = refill.isByKey() ? Lane.MOST_ENTRIES * refill.lanes().size() : Integer.MAX_VALUE;
    int limit = Math.max(1, limit(Math.min(settings.batchSize(), wanted)));
    OrderedPage page =
        read(
            new OrderedScan(
                refill.after(),
                refill.upTo(),
                limit,
                share.buckets(),
                refill.keys(),
                Set.of(),
                settings.filter(),
                refill.upTo(),
                FetchSize.bytes(lanes.roomInBytes())));
    Map<Object, List<Entry>> entries = entries(page, refill.ids(), share);
    size.fetched(limit);
    long upTo = isFull(page, limit) ? lastOf(page) : refill.upTo();
    lanes.refilled(refill, upTo, entries, openKeys(page));
    return false;
  }

  private Map<Object, List<Entry>> entries(
      OrderedPage page, Set<Object> wanted, Holdings.Share share) {
    Map<Object, List<Entry>> entries = new HashMap<>();
    for (OrderedPage.Row row : page.rows()) {
      Object lane = lanes.idOf(row);
      Entry entry = wanted.contains(lane) ? entry(row, share) : null;
      if (entry != null) {
        entries.computeIfAbsent(lane, id -> new ArrayList<>()).add(entry);
      }
    }
    return entries;
  }

  /** One page of the slow look at everything that was passed long ago. */
  private void sweep(Holdings.Share share) throws SQLException {
    if (System.nanoTime() - nextSweepNanos >= 0) {
      nextSweepNanos = System.nanoTime() + settings.sweepInterval().toNanos();
      sweptUpTo = 0;
    }
    long end = frontier.settled();
    int limit = sweptUpTo < end ? limit(lanes.room(settings.batchSize())) : 0;
    if (limit <= 0) {
      return;
    }
    OrderedPage page = read(everything(share, sweptUpTo, end, limit));
    takeIn(page, share, limit);
    sweptUpTo = isFull(page, limit) ? lastOf(page) : Long.MAX_VALUE;
  }

  private boolean isOld(OrderedPage page) {
    Instant before = clock.instant().minus(LONG_AGO);
    return page.rows().stream().allMatch(row -> row.event().createdAt().isBefore(before));
  }

  private void recordLag(OrderedPage page) {
    Instant now = clock.instant();
    Instant oldest =
        page.rows().stream().map(OrderedPage.Row::availableAt).min(Instant::compareTo).orElse(now);
    metrics.recordOldestLagMs(Math.max(0, oldest.until(now, ChronoUnit.MILLIS)));
  }
}
