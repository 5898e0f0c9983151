package outbox.ordered;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import outbox.AggregateType;
import outbox.model.EventKey;
import outbox.model.EventStatus;
import outbox.ordered.TableModel.Row;
import outbox.spi.NodeSession;
import outbox.spi.OrderedPage;
import outbox.spi.OrderedStore;
import outbox.spi.Outcome;
import outbox.util.Nullable;

/**
 * Lanes between a table and a dispatcher that are both plain lists. It reads as a scanner does, and
 * whenever the lanes hand an event over it compares that with what the table says.
 */
final class LanesModel {

  static final int PARTITIONS = 4;
  private final OnDead onDead;
  private final int capacity;
  private final int batch;
  private final TableModel table = new TableModel(PARTITIONS);
  private final Lanes lanes;
  private final Map<String, Turn> inHands = new LinkedHashMap<>();
  private final Set<String> ofOldSessions = new HashSet<>();
  private final List<String> violations = new ArrayList<>();
  private final Set<String> away = new HashSet<>();
  private final HeldUp heldUp = new HeldUp();
  private boolean isDispatcherFull;
  private final Set<Integer> leaving = new HashSet<>();
  private Session session = newSession();
  private long epoch;

  // The scanner's.
  private long cursor;
  private long belowOpen = Long.MAX_VALUE;
  private long highest;
  private long gains;
  private int overread;
  private boolean isAskedByKey;
  private int mostOverread;
  private @Nullable Runnable readingUnderWay;

  /** What was read, with the numbers that were open then, up to where was read. */
  private record Page(
      List<Row> rows,
      Holdings.Share share,
      Map<EventKey, Long> open,
      long lowestOpen,
      long reached) {}

  LanesModel(OnDead onDead, int capacity, ScriptedDispatcher scripted) {
    this(onDead, capacity, LaneSettings.MOST_KEYS, scripted);
  }

  LanesModel(OnDead onDead, int capacity, int mostKeys, ScriptedDispatcher scripted) {
    this.onDead = onDead;
    this.capacity = capacity;
    batch = Math.max(6, capacity / 8);
    LaneSettings settings =
        new LaneSettings(PARTITIONS, true, onDead, capacity, 1L << 20, mostKeys);
    lanes = new Lanes(settings, table.clock(), heldUp);
    heldUp.start((aggregateType, eventType) -> away.contains(eventType));
    for (String type : TableModel.TYPES) {
      heldUp.meets(new HeldUp.Kind(AggregateType.GLOBAL.name(), type));
    }
    scripted.becomes(this::takesOver);
    lanes.start(scripted.dispatcher(), () -> {});
    for (int partition = 0; partition < PARTITIONS; partition++) {
      own(partition, false);
    }
  }

  List<String> violations() {
    return violations;
  }

  TableModel table() {
    return table;
  }

  /**
   * A page may be as long as what is in memory, what there is room for, and what was read over in
   * search of others, and all of it new.
   */
  int mostInMemory() {
    return 2 * capacity + batch + mostOverread;
  }

  int eventsInMemory() {
    return lanes.events();
  }

  void dispatcherIsFull(boolean full) {
    isDispatcherFull = full;
  }

  /** Whether the listener of this event type would only put its events off. */
  void isAway(String eventType, boolean isSo) {
    if (isSo) {
      away.add(eventType);
    } else {
      away.remove(eventType);
    }
    heldUp.ask();
  }

  boolean isAway(Row row) {
    return away.contains(row.envelope.eventType());
  }

  /** What it is about to give up it can't have again before that is drained. */
  void own(int partition, boolean takenOver) {
    if (isFree(partition)) {
      leaving.remove(partition);
      readBlocks(); // so that what its last owner blocked is known
      lanes.own(session, partition, ++epoch, takenOver);
    }
  }

  /** What is under way ends as usual. */
  void giveUp(int partition) {
    if (lanes.owned().contains(partition)) {
      leaving.add(partition);
      lanes.disown(partition);
    }
  }

  /** What is under way goes on, but nothing can be written of it any more. */
  void loseSession() {
    session.end();
    lanes.disownAll();
    leaving.clear();
    ofOldSessions.addAll(inHands.keySet());
    session = newSession();
  }

  boolean isOthers(Row row) {
    return isFree(table.partitionOf(row));
  }

  private boolean isFree(int partition) {
    return !lanes.owned().contains(partition)
        && (!leaving.contains(partition) || lanes.isDrained(partition));
  }

  /** Of what is in hands, the one at this place; null if there is nothing. */
  @Nullable
  Row inHands(int place) {
    List<String> ids = List.copyOf(inHands.keySet());
    return ids.isEmpty() ? null : table.byId(ids.get(place % ids.size()));
  }

  boolean isOfOldSession(Row row) {
    return ofOldSessions.contains(row.id);
  }

  /** The dispatcher is done with the event, and this is what it could write. */
  void end(Row row, @Nullable Outcome written) {
    Turn turn = inHands.remove(row.id);
    ofOldSessions.remove(row.id);
    turn.ended(written);
    takeFaulty();
  }

  void deliver() {
    lanes.deliver();
    takeFaulty();
  }

  void readBlocks() {
    List<OrderedStore.Block> blocks = onDead == OnDead.SKIP ? List.of() : table.blocks();
    lanes.blocked(blocks, System.nanoTime());
    takeFaulty();
  }

  /** Looks after what waits for long, as the upkeep does. */
  void ask() {
    List<String> waiting = lanes.waitingForLong(5);
    lanes.decided(Set.copyOf(waiting), table.heads(waiting));
    takeFaulty();
  }

  /** One page, as far as there is room. */
  void read() {
    startReading();
    finishReading();
  }

  /** Anything may happen before it is finished, but for other reading. */
  void startReading() {
    finishReading();
    Holdings.Share share = lanes.share();
    if (share.gains() != gains) {
      gains = share.gains();
      cursor = 0;
      belowOpen = Long.MAX_VALUE;
      overread = 0;
    }
    int room = lanes.room(batch);
    if (room > 0) {
      long start = Math.min(cursor, belowOpen);
      int limit = room + lanes.events() + overread;
      lanes.readStarts();
      List<Row> rows =
          table.pending(
              start, Long.MAX_VALUE, share.buckets(), Set.of(), lanes.passedOver(start), limit);
      long reached = reached(rows, start, limit);
      Page page =
          new Page(rows, share, table.openKeys(reached), table.lowestOpen(reached), reached);
      readingUnderWay = () -> finishPage(page, limit);
    }
  }

  void finishReading() {
    Runnable finish = readingUnderWay;
    readingUnderWay = null;
    if (finish != null) {
      finish.run();
      deliver();
    }
  }

  /** The database is gone before it has answered. */
  void failReading() {
    readingUnderWay = null;
  }

  /** Looks at everything again. */
  void sweep() {
    finishReading();
    cursor = 0;
  }

  /** False if there is nothing to be read again. */
  boolean refill() {
    boolean isStarted = startRefill();
    finishReading();
    return isStarted;
  }

  boolean startRefill() {
    finishReading();
    Refill refill = lanes.isFull() ? null : lanes.nextRefill(Math.min(cursor, belowOpen), highest);
    if (refill == null) {
      return false;
    }
    int limit = Math.min(batch, Lane.MOST_ENTRIES * refill.lanes().size());
    Holdings.Share share = lanes.share();
    lanes.readStarts();
    isAskedByKey = !isAskedByKey; // where there are many, all events are read
    Set<EventKey> asked = isAskedByKey ? refill.keys() : Set.of();
    List<Row> rows =
        table.pending(refill.after(), refill.upTo(), share.buckets(), asked, Set.of(), limit);
    Map<EventKey, Long> open = table.openKeys(refill.upTo());
    readingUnderWay = () -> finishRefill(refill, rows, share, open, limit);
    return true;
  }

  private static Session newSession() {
    String id = UUID.randomUUID().toString();
    NodeSession node = new NodeSession("r", id, "n", PARTITIONS, Duration.ofHours(1));
    return new Session(node, System.nanoTime());
  }

  private long reached(List<Row> rows, long start, int limit) {
    long lastRow = rows.isEmpty() ? start : rows.get(rows.size() - 1).seq;
    boolean isLast = rows.size() < limit;
    return Math.max(highest, isLast ? Math.max(lastRow, table.highestPending()) : lastRow);
  }

  private void finishPage(Page page, int limit) {
    int before = lanes.events();
    highest = page.reached();
    boolean isLast = page.rows().size() < limit;
    cursor = isLast ? highest : page.rows().get(limit - 1).seq;
    belowOpen = page.lowestOpen() - 1;
    for (Row row : page.rows()) {
      takeIn(row, page);
    }
    overread = isLast || lanes.events() > before ? 0 : overread + limit;
    mostOverread = Math.max(mostOverread, overread);
  }

  private void takeIn(Row row, Page page) {
    OrderedPage.Row read = row.read();
    if (lanes.wants(read, page.share())) {
      boolean isOthers = lanes.epochOf(read, page.share()) == null;
      boolean isBehindOpen =
          row.key != null && row.seq > page.open().getOrDefault(row.key, Long.MAX_VALUE);
      if (isOthers || isBehindOpen) {
        lanes.leave(read, page.share());
      } else {
        lanes.add(read, row.entry(), page.share());
      }
    }
  }

  private void finishRefill(
      Refill refill, List<Row> rows, Holdings.Share share, Map<EventKey, Long> open, int limit) {
    Map<Object, List<Entry>> entries = new HashMap<>();
    for (Row row : rows) {
      if (lanes.epochOf(row.read(), share) != null) {
        entries.computeIfAbsent(lanes.idOf(row.read()), id -> new ArrayList<>()).add(row.entry());
      }
    }
    long upTo = rows.size() >= limit ? rows.get(limit - 1).seq : refill.upTo();
    lanes.refilled(refill, upTo, entries, open);
  }

  private void takeFaulty() {
    for (Turn turn : lanes.takeFaulty()) {
      String id = turn.entry().eventId();
      check(table.byId(id));
      inHands.put(id, turn);
    }
    inHands.replaceAll((id, turn) -> turn == null ? lanes.turnOf(id) : turn);
  }

  /** What the dispatcher answers when an event is handed over to it. */
  private boolean takesOver(String eventId) {
    if (isDispatcherFull) {
      return false;
    }
    Row row = table.byId(eventId);
    check(row);
    require(!isAway(row), row, "has nobody who would take it");
    inHands.put(eventId, null); // its turn is known when this has returned
    return true;
  }

  private void check(Row row) {
    require(!inHands.containsKey(row.id), row, "is in hands already");
    require(row.isPending() || row.isEndedLate, row, "has ended");
    require(!row.isOpen, row, "is not committed");
    require(!table.now().isBefore(row.availableAt), row, "is not due");
    require(lanes.owned().contains(table.partitionOf(row)), row, "is others'");
    for (Row other : table.earlierOf(row)) {
      require(!inHands.containsKey(other.id), row, "comes while an earlier one is in hands");
      require(isOver(other), row, "comes before event " + other);
    }
  }

  private boolean isOver(Row row) {
    return row.status == EventStatus.DONE
        || row.isReplayedLate
        || (row.status == EventStatus.DEAD && onDead == OnDead.SKIP);
  }

  private void require(boolean holds, Row row, String problem) {
    if (!holds) {
      violations.add("event " + row + " " + problem);
    }
  }
}
