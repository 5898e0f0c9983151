package outbox.poller;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import outbox.EventEnvelope;
import outbox.internal.GuardedMetrics;
import outbox.internal.Transactions;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.MetricsExporter;
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

  private static final Logger LOG = System.getLogger(OutboxPoller.class.getName());

  /** In batches. */
  private static final long MOST_UNFINISHED = 2;

  /** A handler that takes this many and ends none is left alone until the next interval. */
  private static final int MOST_REMEMBERED = 10_000;

  private final PollerSettings settings;
  private final MetricsExporter metrics;
  private final RowReader reader;
  private final Map<String, Integer> handedOver = new HashMap<>();
  private int mostCapacity;
  private int mostRoom;

  PollRound(PollerSettings settings, Consumer<Instant> dueAgain) {
    this.settings = settings;
    metrics = GuardedMetrics.guard(settings.metrics());
    reader = new RowReader(settings, dueAgain);
  }

  /** Offers everything again, as the first of a row of polls. */
  synchronized void startOver() {
    handedOver.clear();
  }

  synchronized PollResult run() {
    int capacity = settings.handler().availableCapacity();
    int room = Math.min(settings.batchSize(), capacity);
    mostCapacity = Math.max(mostCapacity, capacity);
    if (room <= 0 || isBusyWithWhatItHas(capacity)) {
      return PollResult.NO_ROOM;
    }
    mostRoom = Math.max(mostRoom, room);
    settings.handler().pollStarts();
    try {
      return poll(room);
    } finally {
      settings.handler().pollEnds();
    }
  }

  @Nullable
  Claim newClaim() {
    PollerSettings.Claiming claiming = settings.claiming();
    return claiming == null
        ? null
        : Claim.starting(claiming.ownerId(), settings.clock(), claiming.timeout());
  }

  /** What is unfinished would be fetched again with every poll, so little of it is kept going. */
  private boolean isBusyWithWhatItHas(int capacity) {
    long unfinished = (long) mostCapacity - capacity;
    return !handedOver.isEmpty() && unfinished > MOST_UNFINISHED * settings.batchSize();
  }

  private PollResult poll(int room) {
    Claim claim = newClaim();
    List<OutboxEvent> rows;
    try {
      rows = fetch(claim, room);
    } catch (Exception e) {
      LOG.log(Level.ERROR, "poll failed; it is tried again in " + settings.interval(), e);
      return PollResult.FAILED;
    }
    recordLag(rows);
    return handOver(fresh(rows, room, claim), claim, room);
  }

  private List<OutboxEvent> fetch(@Nullable Claim claim, int room) throws SQLException {
    Duration skipRecent = settings.skipRecent();
    return Transactions.onConnection(
        settings.connectionProvider(),
        connection ->
            claim == null
                ? settings
                    .outboxStore()
                    .pollPending(connection, now(), skipRecent, room + handedOver.size())
                : settings
                    .outboxStore()
                    .claimPending(
                        connection,
                        claim.ownerId(),
                        claim.lockedAt(),
                        claim.lockedAt().minus(timeout()),
                        skipRecent,
                        room));
  }

  private List<OutboxEvent> fresh(List<OutboxEvent> rows, int room, @Nullable Claim claim) {
    if (claim != null) {
      return rows;
    }
    Map<String, Integer> before = Map.copyOf(handedOver);
    handedOver.clear();
    rows.stream()
        .filter(row -> Integer.valueOf(row.attempts()).equals(before.get(row.eventId())))
        .forEach(row -> handedOver.put(row.eventId(), row.attempts()));
    return rows.stream().filter(row -> !handedOver.containsKey(row.eventId())).limit(room).toList();
  }

  private PollResult handOver(List<OutboxEvent> rows, @Nullable Claim claim, int room) {
    for (int i = 0; i < rows.size(); i++) {
      if (!handOver(rows.get(i), claim)) {
        giveBack(rows.subList(i, rows.size()), claim);
        return PollResult.REFUSED;
      }
    }
    if (rows.size() < room || handedOver.size() > MOST_REMEMBERED) {
      return PollResult.DRAINED;
    }
    return room < mostRoom / 2 ? PollResult.NO_ROOM : PollResult.FULL;
  }

  private boolean handOver(OutboxEvent row, @Nullable Claim claim) {
    EventEnvelope event = reader.read(row);
    if (event == null) {
      return true;
    }
    boolean taken = offer(event, row.attempts(), claim);
    if (taken && claim == null) {
      handedOver.put(row.eventId(), row.attempts());
    }
    return taken;
  }

  private boolean offer(EventEnvelope event, int attempts, @Nullable Claim claim) {
    try {
      return claim == null
          ? settings.handler().handle(event, attempts)
          : settings.handler().handle(event, attempts, claim);
    } catch (Throwable e) {
      LOG.log(Level.ERROR, () -> "poller handler failed, which counts as refused: " + event, e);
      return false;
    }
  }

  private void giveBack(List<OutboxEvent> rows, @Nullable Claim claim) {
    if (claim == null) {
      return;
    }
    List<String> ids = rows.stream().map(OutboxEvent::eventId).toList();
    try {
      Transactions.onConnection(
          settings.connectionProvider(),
          connection -> settings.outboxStore().releaseClaims(connection, claim.ownerId(), ids));
    } catch (UnsupportedOperationException e) {
      LOG.log(Level.DEBUG, "refused events stay locked until their claim expires", e);
    } catch (Exception e) {
      LOG.log(Level.WARNING, "refused events stay locked until their claim expires", e);
    }
  }

  private void recordLag(List<OutboxEvent> rows) {
    long lagMs = rows.isEmpty() ? 0 : rows.get(0).createdAt().until(now(), ChronoUnit.MILLIS);
    metrics.recordOldestLagMs(Math.max(0, lagMs));
  }

  private Duration timeout() {
    PollerSettings.Claiming claiming = settings.claiming();
    return claiming == null ? Duration.ZERO : claiming.timeout();
  }

  private Instant now() {
    return settings.clock().instant().truncatedTo(ChronoUnit.MICROS);
  }
}
