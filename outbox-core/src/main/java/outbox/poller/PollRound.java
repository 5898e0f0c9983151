package outbox.poller;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import outbox.EventEnvelope;
import outbox.internal.DatabaseClock;
import outbox.internal.EventSize;
import outbox.internal.FetchSize;
import outbox.internal.GuardedMetrics;
import outbox.internal.PayloadMask;
import outbox.internal.SafeLogger;
import outbox.internal.ToldFailure;
import outbox.internal.Transactions;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.MetricsExporter;
import outbox.spi.OutboxStore;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.util.Nullable;

/**
 * One poll: fetch as many events as there is room for, hand them over one by one, give back what
 * was refused.
 *
 * <p>Without claims the database can't tell which events were handed over already, so a round
 * remembers them for as long as polls follow each other, and asks for that many more. A try that
 * failed meanwhile shows by its attempts and is handed over again.
 */
final class PollRound {

  private static final Logger LOG = SafeLogger.of(OutboxPoller.class);

  /** In batches. */
  private static final long MOST_UNFINISHED = 2;

  /** A handler that takes this many and ends none is left alone until the next interval. */
  private static final int MOST_REMEMBERED = 10_000;

  /** A handler that still has this many, without claims, has enough to do for an interval. */
  private static final int MOST_FETCHED_AGAIN = 100;

  /** As UTF-8 has them, and two for four. */
  private static final int MOST_BYTES_PER_CHARACTER = 3;

  private final PollerSettings settings;
  private final MetricsExporter metrics;
  private final RowReader reader;
  private final Scan scan;
  private final FetchSize size = new FetchSize();
  private final Map<String, HandedOver> handedOver = new HashMap<>();
  private Map<String, Integer> lastFetched = Map.of();
  private boolean isWorthAnother;
  private boolean hasNews;
  private Instant fetchedUntil = Instant.EPOCH;
  private int mostCapacity;
  private int mostRoom;

  /** What a row was when it was handed over. */
  private record HandedOver(int attempts, long bytes) {}

  /** What one statement fetched, under one claim if at all; a heavy one may have been cut short. */
  private record Batch(List<Fetched> rows, @Nullable Claim claim, boolean isHeavy) {}

  PollRound(PollerSettings settings, Consumer<Instant> dueAgain) {
    this.settings = settings;
    metrics = GuardedMetrics.guard(settings.metrics());
    reader = new RowReader(settings, dueAgain);
    scan = new Scan(System::nanoTime, settings.claiming() != null, settings.skipRecent());
  }

  /** Offers again what is still pending, as the first of a row of polls. */
  synchronized void begin() {
    handedOver.clear();
    scan.begin();
  }

  /** Likewise, with a look at everything. */
  synchronized void startOver() {
    begin();
    scan.startOver();
  }

  /** The next poll follows one that fetched all there was. */
  synchronized void goOn() {
    scan.goOn();
  }

  /** What fell due later was not looked for. */
  synchronized Instant fetchedUntil() {
    return fetchedUntil;
  }

  /** There is no further one. */
  void end() {
    metrics.recordLeader(false);
  }

  synchronized PollResult run() {
    int capacity = settings.handler().availableCapacity();
    int room = Math.min(settings.batchSize(), capacity);
    mostCapacity = Math.max(mostCapacity, capacity);
    if (room <= 0 || isBusyWithWhatItHas(capacity)) {
      return PollResult.NO_ROOM;
    }
    mostRoom = Math.max(mostRoom, room);
    return withNews(pollInSteps(room));
  }

  /** What the polls before found counts, too, up to the one that fetched all there was. */
  private PollResult withNews(PollResult result) {
    boolean hadNews = hasNews;
    hasNews = hasNews && !result.isAll();
    return hadNews && result == PollResult.DRAINED ? PollResult.SOME : result;
  }

  @Nullable
  Claim newClaim() {
    PollerSettings.Claiming claiming = settings.claiming();
    return claiming == null
        ? null
        : Claim.starting(claiming.ownerId(), settings.outboxStore().clock(), claiming.timeout());
  }

  /** What is unfinished would be fetched again with every poll, so little of it is kept going. */
  private boolean isBusyWithWhatItHas(int capacity) {
    long unfinished = (long) mostCapacity - capacity;
    return !handedOver.isEmpty() && unfinished > MOST_UNFINISHED * settings.batchSize();
  }

  /** As few fetches as memory allows. */
  private PollResult pollInSteps(int room) {
    int left = room;
    PollResult result = PollResult.NO_ROOM;
    while (left > 0) {
      long availableBytes = settings.handler().availableBytes();
      int step = size.next(left, availableBytes);
      if (step <= 0) {
        return PollResult.NO_ROOM;
      }
      result = step(step, size.bytes(availableBytes, bytesHandedOver()));
      if (result != PollResult.FULL) {
        return result;
      }
      left -= step;
    }
    return room < mostRoom / 2 ? PollResult.NO_ROOM : result;
  }

  private PollResult step(int limit, long bytes) {
    settings.handler().pollStarts();
    PollResult result = PollResult.FAILED;
    isWorthAnother = false;
    long start = System.nanoTime();
    try {
      result = poll(limit, bytes);
    } finally {
      settings.handler().pollEnds();
      recordPoll(result != PollResult.FAILED, System.nanoTime() - start);
      if (result == PollResult.FAILED) {
        size.failed();
      } else {
        size.fetched(limit);
      }
    }
    hasNews = hasNews || (isWorthAnother && settings.handler().hasNews());
    return result;
  }

  private PollResult poll(int room, long bytes) {
    Batch batch;
    try {
      EventFilter wanted = settings.wanted().now().orElse(null);
      if (wanted == null) {
        return PollResult.DRAINED;
      }
      batch =
          Transactions.onConnection(
              settings.connectionProvider(), connection -> fetch(connection, room, bytes, wanted));
    } catch (Exception e) {
      LOG.log(Level.ERROR, "poll failed; it is tried again within " + settings.interval(), e);
      return PollResult.FAILED;
    }
    if (!scan.hasLeapt()) { // the oldest may be among what it leapt over
      recordLag(batch.rows());
    }
    scan.fetched(batch.rows());
    isWorthAnother = isWorthAnother(batch.rows());
    return handOver(fresh(batch, room), room);
  }

  /** Whether there is anything that the last fetch did not have, and not too much that it had. */
  private boolean isWorthAnother(List<Fetched> rows) {
    Map<String, Integer> before = lastFetched;
    lastFetched = new HashMap<>();
    rows.forEach(row -> lastFetched.put(row.event().eventId(), row.event().attempts()));
    long again = lastFetched.entrySet().stream().filter(before.entrySet()::contains).count();
    return again < rows.size() && again <= MOST_FETCHED_AGAIN;
  }

  private Batch fetch(Connection connection, int room, long bytes, EventFilter wanted) {
    OutboxStore store = settings.outboxStore();
    store.alignClock(connection);
    Claim claim = newClaim();
    Instant now = now();
    Fetch fetch =
        new Fetch(
            now,
            settings.skipRecent(),
            claim == null ? room + handedOver.size() : room,
            wanted,
            claim,
            scan.start(),
            bytes);
    List<Fetched> rows = store.fetch(connection, fetch);
    fetchedUntil = now;
    return new Batch(rows, claim, isHeavy(rows, bytes));
  }

  /** None with claims. */
  private long bytesHandedOver() {
    return handedOver.values().stream().mapToLong(HandedOver::bytes).sum();
  }

  /** Whether they may weigh this much, for the store counts in bytes. */
  private static boolean isHeavy(List<Fetched> rows, long bytes) {
    long characters = rows.stream().mapToLong(row -> EventSize.characters(row.event())).sum();
    return characters >= bytes / MOST_BYTES_PER_CHARACTER;
  }

  private Batch fresh(Batch batch, int room) {
    if (batch.claim() != null) {
      return batch;
    }
    Map<String, HandedOver> before = Map.copyOf(handedOver);
    handedOver.clear();
    for (Fetched row : batch.rows()) {
      HandedOver known = before.get(row.event().eventId());
      if (known != null && known.attempts() == row.event().attempts()) {
        handedOver.put(row.event().eventId(), known);
      }
    }
    return new Batch(
        batch.rows().stream()
            .filter(row -> !handedOver.containsKey(row.event().eventId()))
            .limit(room)
            .toList(),
        null,
        batch.isHeavy());
  }

  private PollResult handOver(Batch batch, int room) {
    List<Fetched> rows = batch.rows();
    for (int i = 0; i < rows.size(); i++) {
      if (!handOver(rows.get(i), batch.claim())) {
        giveBack(rows.subList(i, rows.size()), batch.claim());
        return PollResult.REFUSED;
      }
    }
    if (handedOver.size() > MOST_REMEMBERED) {
      return PollResult.SATED;
    }
    if (rows.size() >= room || (batch.isHeavy() && !rows.isEmpty())) {
      return PollResult.FULL;
    }
    if (scan.hasLeapt()) {
      scan.leaptTooFar();
      return PollResult.FULL;
    }
    return PollResult.DRAINED;
  }

  private boolean handOver(Fetched fetched, @Nullable Claim claim) {
    OutboxEvent row = fetched.event();
    EventEnvelope event = reader.read(row, claim);
    if (event == null) {
      return true;
    }
    long bytes = EventSize.of(event, row);
    size.saw(bytes);
    boolean taken = offer(event, fetched, claim);
    if (taken && claim == null) {
      handedOver.put(row.eventId(), new HandedOver(row.attempts(), bytes));
    }
    return taken;
  }

  private boolean offer(EventEnvelope event, Fetched fetched, @Nullable Claim claim) {
    try {
      return settings.handler().handle(event, fetched, claim);
    } catch (Throwable e) {
      LOG.log(
          Level.ERROR,
          () -> "poller handler failed, which counts as refused: " + event,
          ToldFailure.of(e, message -> PayloadMask.hide(message, event)));
      return false;
    }
  }

  private void giveBack(List<Fetched> rows, @Nullable Claim claim) {
    scan.startOver();
    if (claim == null) {
      return;
    }
    List<Settlement> released =
        rows.stream()
            .map(row -> new Settlement(row.event().eventId(), claim, new Outcome.Released()))
            .toList();
    try {
      Transactions.inTransaction(
          settings.connectionProvider(),
          connection -> settings.outboxStore().settle(connection, released));
    } catch (Exception e) {
      LOG.log(Level.WARNING, "refused events stay locked until their claim expires", e);
    }
  }

  private void recordPoll(boolean succeeded, long nanos) {
    metrics.recordPoll(succeeded, Duration.ofNanos(nanos));
    metrics.recordLeader(succeeded);
  }

  private void recordLag(List<Fetched> rows) {
    Instant now = now();
    Instant oldest =
        rows.stream().map(Fetched::lateSince).min(Comparator.naturalOrder()).orElse(now);
    metrics.recordOldestLagMs(Math.max(0, oldest.until(now, ChronoUnit.MILLIS)));
  }

  private Instant now() {
    return DatabaseClock.latest(settings.clock()).truncatedTo(ChronoUnit.MICROS);
  }
}
