package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DeadQuery.Position;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.spi.DeadBatch;

/** What can be asked of dead events, and done with many of them at a time. */
abstract class StoreDeadContract extends StorePortionContract {

  private static final DiscardReason REASON = new DiscardReason("sent by hand");

  @Test
  void deadEventsComeWithEverythingThatIsKnownOfThem() {
    EventEnvelope event = session.insert("T");
    session.markRetry(event, StoreSession.now(), "first");
    session.markDead(event, "second");

    List<EventDetails> page = page(DeadQuery.of(DeadFilter.all()));

    assertThat(page).containsExactly(session.row(event));
    assertThat(page.get(0).lastError()).isEqualTo("second");
    assertThat(page.get(0).event().attempts()).isEqualTo(2);
  }

  @Test
  void everythingThatAFilterSaysMustApply() {
    EventEnvelope wanted = dead(event("A", "Order", "1", "acme"), "refused");
    dead(event("B", "Order", "1", "acme"), "refused");
    dead(event("A", "User", "1", "acme"), "refused");
    dead(event("A", "Order", "2", "acme"), "refused");
    dead(event("A", "Order", "1", "other"), "refused");
    dead(event("A", "Order", "1", "acme"), "timed out");
    dead(event("A", "Order", "1", "acme"), null);
    session.insert(event("A", "Order", "1", "acme"));
    DeadFilter filter =
        DeadFilter.all()
            .withEventType("A")
            .withAggregate("Order", "1")
            .withTenant("acme")
            .withErrorText("refuse");

    assertThat(ids(filter)).containsExactly(wanted.eventId());
    assertThat(ids(DeadFilter.all())).hasSize(7);
    assertThat(ids(DeadFilter.all().withEventType("B"))).hasSize(1);
    assertThat(ids(DeadFilter.all().withAggregate("User", null))).hasSize(1);
    assertThat(ids(DeadFilter.all().withAggregate(null, "2"))).hasSize(1);
    assertThat(ids(DeadFilter.all().withTenant("other"))).hasSize(1);
    assertThat(ids(DeadFilter.all().withErrorText("TIMED OUT"))).hasSize(1);
  }

  @Test
  void deadEventsAreFoundByTheirIds() {
    List<EventEnvelope> dead = dead(3);
    EventEnvelope pending = session.insert("T");

    DeadFilter filter =
        DeadFilter.all()
            .withIds(
                List.of(
                    dead.get(2).eventId(), "unknown", pending.eventId(), dead.get(0).eventId()));

    assertThat(ids(filter)).containsExactly(dead.get(0).eventId(), dead.get(2).eventId());
    assertThat(ids(filter.withEventType("Other"))).isEmpty();
  }

  @Test
  void deadEventsAreFoundByTheTimeOfTheirDeath() {
    EventEnvelope event = dead(1).get(0);
    Instant died = Objects.requireNonNull(session.row(event).doneAt());
    Instant later = died.plusNanos(1000);

    assertThat(ids(DeadFilter.all().withDied(died, later))).containsExactly(event.eventId());
    assertThat(ids(DeadFilter.all().withDied(died, null))).hasSize(1);
    assertThat(ids(DeadFilter.all().withDied(later, null))).isEmpty();
    assertThat(ids(DeadFilter.all().withDied(null, died))).isEmpty();
    assertThat(ids(DeadFilter.all().withDied(null, later))).hasSize(1);
  }

  @Test
  void textOfAnErrorHasNoSpecialCharacters() {
    for (String error : List.of("100%", "a_b", "really!", "C:\\temp", "it's", "{\"q\":\"?\"}")) {
      EventEnvelope event = dead(EventEnvelope.ofJson("T", "{}"), "xx " + error + " xx");

      assertThat(ids(DeadFilter.all().withErrorText(error))).containsExactly(event.eventId());
    }

    assertThat(ids(DeadFilter.all().withErrorText("x%x"))).isEmpty();
    assertThat(ids(DeadFilter.all().withErrorText("x_100"))).isEmpty();
    assertThat(ids(DeadFilter.all().withErrorText("x' OR '1'='1"))).isEmpty();
  }

  @Test
  void pagesShowEveryEventOnceInEitherOrder() {
    Instant sameTime = StoreSession.now();
    List<EventEnvelope> events =
        IntStream.range(0, 7)
            .mapToObj(
                i -> EventEnvelope.builder("T").occurredAt(sameTime).payloadJson("{}").build())
            .toList();
    session.insertAll(events);
    events.forEach(event -> session.markDead(event, "e"));
    dead(3);
    List<String> oldestFirst = ids(DeadFilter.all());
    List<String> newestFirst = new ArrayList<>(oldestFirst);
    Collections.reverse(newestFirst);

    assertThat(walk(DeadQuery.of(DeadFilter.all()).withLimit(3))).isEqualTo(oldestFirst);
    assertThat(walk(DeadQuery.of(DeadFilter.all()).withLimit(3).newestFirst()))
        .isEqualTo(newestFirst);
    assertThat(oldestFirst).hasSize(10);
  }

  @Test
  void countStopsWhereItIsTold() {
    dead(5);
    session.insert("T");

    assertThat(count(DeadFilter.all(), 10)).isEqualTo(5);
    assertThat(count(DeadFilter.all(), 5)).isEqualTo(5);
    assertThat(count(DeadFilter.all(), 3)).isEqualTo(3);
    assertThat(count(DeadFilter.all(), 0)).isZero();
    assertThat(count(DeadFilter.all().withEventType("Other"), 10)).isZero();
    assertThat(count(DeadFilter.all(), Integer.MAX_VALUE)).isEqualTo(5);
  }

  @Test
  void pageIsReplayedAndSaysWhereItEnded() {
    List<EventEnvelope> dead = dead(5);
    EventEnvelope other = dead(event("Other", null, null, null), "e");
    DeadQuery page = DeadQuery.of(DeadFilter.all().withEventType("T")).withLimit(3);

    DeadBatch first = replay(page);
    DeadBatch second = replay(page.startingAfter(first.last()));

    assertThat(first).isEqualTo(new DeadBatch(3, Position.of(session.row(dead.get(2)).event())));
    assertThat(second.changed()).isEqualTo(2);
    assertThat(dead)
        .allSatisfy(
            event -> {
              EventDetails row = session.row(event);
              assertThat(row.status()).isEqualTo(EventStatus.NEW);
              assertThat(row.event().attempts()).isZero();
              assertThat(row.doneAt()).isNull();
              assertThat(row.lastError()).isNull();
            });
    assertThat(session.row(other).status()).isEqualTo(EventStatus.DEAD);
    assertThat(replay(page)).isEqualTo(new DeadBatch(0, null));
    assertThat(session.poll(10)).hasSize(5);
  }

  @Test
  void newestAreReplayedFirstIfAsked() {
    List<EventEnvelope> dead = dead(3);

    replay(DeadQuery.of(DeadFilter.all()).newestFirst().withLimit(1));

    assertThat(session.row(dead.get(2)).status()).isEqualTo(EventStatus.NEW);
    assertThat(session.row(dead.get(0)).status()).isEqualTo(EventStatus.DEAD);
  }

  @Test
  void discardedEventIsDoneAndSaysWhy() {
    EventEnvelope event = dead(event("T", "Order", "1", null), "refused");
    EventDetails before = session.row(event);

    DeadBatch batch = discard(DeadQuery.of(DeadFilter.all()));

    EventDetails row = session.row(event);
    assertThat(batch.changed()).isEqualTo(1);
    assertThat(row.status()).isEqualTo(EventStatus.DONE);
    assertThat(row.isDiscarded()).isTrue();
    assertThat(row.lastError()).isEqualTo("discarded: sent by hand; died of refused");
    assertThat(row.event()).isEqualTo(before.event());
    assertThat(row.doneAt()).isAfterOrEqualTo(before.doneAt());
    assertThat(ids(DeadFilter.all())).isEmpty();
    assertThat(session.replay(event)).isZero();
    assertThat(session.poll(10)).isEmpty();
    assertThat(discard(DeadQuery.of(DeadFilter.all())).changed()).isZero();
  }

  @Test
  void reasonOfADiscardFitsHoweverLongTheErrorIs() {
    EventEnvelope known = dead(EventEnvelope.ofJson("T", "{}"), "\uD83D\uDE80".repeat(2000));
    EventEnvelope unknown = dead(EventEnvelope.ofJson("T", "{}"), null);

    discard(DeadQuery.of(DeadFilter.all()));

    assertThat(session.row(known).lastError())
        .startsWith("discarded: sent by hand; died of \uD83D\uDE80")
        .hasSizeBetween(3999, 4000);
    assertThat(session.row(unknown).lastError()).isEqualTo("discarded: sent by hand");
  }

  @Test
  void deliveredEventWasNotDiscarded() {
    EventEnvelope event = session.insert("T");
    session.markRetry(event, StoreSession.now(), "e");
    session.markDone(event);

    assertThat(session.row(event).isDiscarded()).isFalse();
  }

  @Test
  void replayAndDiscardOfPagesTakePartInTheTransaction() {
    List<EventEnvelope> dead = dead(2);
    List<EventDetails> before = dead.stream().map(session::row).toList();
    DeadQuery page = DeadQuery.of(DeadFilter.all());

    session.inTransaction(
        connection -> {
          assertThat(session.store().replayDead(connection, page).changed()).isEqualTo(2);
          connection.rollback();
          assertThat(session.store().discardDead(connection, page, REASON).changed()).isEqualTo(2);
          connection.rollback();
          return connection;
        });

    assertThat(dead.stream().map(session::row).toList()).isEqualTo(before);
  }

  @Test
  void whatSomeoneElseIsReplayingIsPassedOver() {
    dead(4);
    DeadQuery all = DeadQuery.of(DeadFilter.all());

    session.inTransaction(
        connection -> {
          assertThat(session.store().replayDead(connection, all).changed()).isEqualTo(4);
          assertThat(replay(all).changed()).isZero();
          assertThat(discard(all).changed()).isZero();
          connection.commit();
          return connection;
        });

    assertThat(session.poll(10)).hasSize(4);
  }

  @Test
  void storeTellsTheTimeThatItStamps() {
    Instant before = session.store().clock().instant().truncatedTo(ChronoUnit.MICROS);
    EventEnvelope event = dead(1).get(0);
    Instant after = session.store().clock().instant();

    assertThat(session.row(event).doneAt()).isBetween(before, after);
  }

  private List<EventEnvelope> dead(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> dead(EventEnvelope.ofJson("T", "{}"), "e"))
        .toList();
  }

  private EventEnvelope dead(EventEnvelope event, @Nullable String error) {
    session.insert(event);
    session.markDead(event, error);
    return event;
  }

  private static EventEnvelope event(
      String eventType,
      @Nullable String aggregateType,
      @Nullable String aggregateId,
      @Nullable String tenantId) {
    return EventEnvelope.builder(eventType)
        .aggregateType(aggregateType)
        .aggregateId(aggregateId)
        .tenantId(tenantId)
        .payloadJson("{}")
        .build();
  }

  private List<EventDetails> page(DeadQuery query) {
    return session.call(connection -> session.store().queryDead(connection, query));
  }

  private List<String> ids(DeadFilter filter) {
    return page(DeadQuery.of(filter)).stream().map(row -> row.event().eventId()).toList();
  }

  private List<String> walk(DeadQuery query) {
    List<String> ids = new ArrayList<>();
    List<EventDetails> page = page(query);
    while (!page.isEmpty()) {
      page.forEach(row -> ids.add(row.event().eventId()));
      page = page(query.startingAfter(Position.of(page.get(page.size() - 1).event())));
    }
    return ids;
  }

  private int count(DeadFilter filter, int atMost) {
    return session.call(connection -> session.store().countDead(connection, filter, atMost));
  }

  private DeadBatch replay(DeadQuery page) {
    return session.call(connection -> session.store().replayDead(connection, page));
  }

  private DeadBatch discard(DeadQuery page) {
    return session.call(connection -> session.store().discardDead(connection, page, REASON));
  }
}
