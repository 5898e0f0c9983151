package outbox.jdbc.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.internal.JsonString;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.spi.EventFilter;
import outbox.spi.EventRow;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.Outcome;
import outbox.spi.PurgeRequest;
import outbox.spi.Settlement;
import outbox.util.JsonCodec;

/**
 * Every text that an application, an operator or a stranger can set, in every statement that it
 * gets into: it comes back as it was, and finds itself and nothing else.
 */
abstract class HostileTextContract extends HostileContract {

  private static final List<String> TEXTS = HostileTexts.all();
  private static final int ALL = TEXTS.size();

  /** One event per text, which is its id, its types, its aggregate, its tenant and so on. */
  private final List<EventEnvelope> events =
      TEXTS.stream().map(HostileTextContract::event).toList();

  @BeforeEach
  void insert() {
    store.insertBatch(connection, events);
  }

  private static EventEnvelope event(String text) {
    return EventEnvelope.builder(text)
        .eventId(text)
        .aggregateType(text)
        .aggregateId(text)
        .tenantId(text)
        .header(text, text)
        .payloadJson(json(text))
        .build();
  }

  private static String json(String text) {
    StringBuilder json = new StringBuilder();
    JsonString.append(json, text);
    return json.toString();
  }

  private EventDetails find(String id) {
    return store.find(connection, id).orElseThrow();
  }

  /** Every one dead, of an error that is its own text. */
  private void bury() {
    for (String text : TEXTS) {
      assertThat(store.markDead(connection, text, text)).as(text).isEqualTo(1);
    }
  }

  @Test
  void everyColumnComesBackAsItWas() {
    for (EventEnvelope event : events) {
      EventEnvelope stored = EventRow.decode(find(event.eventId()).event(), JsonCodec.getDefault());
      assertThat(stored).usingRecursiveComparison().isEqualTo(event);
    }
  }

  @Test
  void payloadsThatAreBytesComeBackAsTheyWere() {
    for (String text : TEXTS) {
      byte[] bytes = (text + "\0").getBytes(StandardCharsets.UTF_8);
      EventEnvelope event = EventEnvelope.builder("bytes").payloadBytes(bytes).build();
      store.insertNew(connection, event);
      assertThat(
              EventRow.decode(find(event.eventId()).event(), JsonCodec.getDefault()).payloadBytes())
          .isEqualTo(bytes);
    }
  }

  /** MySQL and MariaDB take them for the same without. */
  @Test
  void spacesAtTheEndAreKeptOrRefused() {
    for (int field = 0; field < 5; field++) {
      EventEnvelope padded =
          EventEnvelope.builder(field == 0 ? "admin " : "T")
              .eventId(field == 1 ? "admin " : "padded-" + field)
              .aggregateType(field == 2 ? "admin " : "A")
              .aggregateId(field == 3 ? "admin " : "1")
              .tenantId(field == 4 ? "admin " : "t")
              .payloadJson("1")
              .build();
      try {
        store.insertNew(connection, padded);
      } catch (IllegalArgumentException refused) {
        assertThat(refused).hasMessageContaining("must be without a space at its end");
        continue;
      }
      assertThat(EventRow.decode(find(padded.eventId()).event(), JsonCodec.getDefault()))
          .usingRecursiveComparison()
          .isEqualTo(padded);
    }
    filterTakesItsOwnAndNothingElse();
  }

  @Test
  void idThatIsTakenIsKnownAndOthersAreNot() {
    for (EventEnvelope event : events) {
      assertThat(store.insertIfAbsent(connection, event, null)).as(event.eventId()).isFalse();
      EventEnvelope similar =
          EventEnvelope.builder("similar").eventId("_" + event.eventId()).payloadJson("1").build();
      assertThat(store.insertIfAbsent(connection, similar, null)).as(similar.eventId()).isTrue();
    }
  }

  @Test
  void filterTakesItsOwnAndNothingElse() {
    for (String text : TEXTS) {
      Set<String> wanted = Set.of(text);
      assertThat(fetched(EventFilter.ALL.withEventTypes(wanted))).containsExactly(text);
      assertThat(fetched(EventFilter.ALL.withAggregateTypes(wanted))).containsExactly(text);
      assertThat(fetched(EventFilter.ALL.withTenantIds(wanted))).containsExactly(text);
    }
    assertThat(fetched(EventFilter.ALL.withTenantIds(Set.copyOf(TEXTS))))
        .containsExactlyInAnyOrderElementsOf(TEXTS);
  }

  private List<String> fetched(EventFilter filter) {
    Fetch fetch = new Fetch(later, Duration.ZERO, ALL, filter, null, null);
    return store.fetch(connection, fetch).stream()
        .map(Fetched::event)
        .map(OutboxEvent::eventId)
        .toList();
  }

  @Test
  void ownerHasWhatItClaimedAndNothingElse() {
    for (String text : TEXTS) {
      Claim claim = Claim.starting(text, store.clock(), LONG);
      EventFilter own = EventFilter.ALL.withTenantIds(Set.of(text));
      Fetch fetch = new Fetch(later, Duration.ZERO, ALL, own, claim, null);
      assertThat(store.fetch(connection, fetch)).hasSize(1);
      assertThat(find(text).lockedBy()).isEqualTo(text);
    }
    for (String text : TEXTS) {
      assertThat(store.releaseClaims(connection, text, TEXTS)).as(text).isEqualTo(1);
      assertThat(find(text).lockedBy()).isNull();
    }
  }

  @Test
  void claimOfAnotherSettlesNothing() {
    Instant now = store.clock().instant();
    for (String text : TEXTS) {
      assertThat(
              store.claimPending(
                  connection, "owner of " + text, later, later.minus(LONG), Duration.ZERO, 1))
          .hasSize(1);
    }
    for (String text : TEXTS) {
      Claim foreign = new Claim(text, later, LONG, System.nanoTime());
      Outcome retry = new Outcome.Retry(1, now, text);
      assertThat(store.settle(connection, List.of(new Settlement(text, foreign, retry)))).isZero();
      assertThat(store.settle(connection, List.of(new Settlement(text, null, retry)))).isEqualTo(1);
      assertThat(find(text).lastError()).isEqualTo(text);
    }
  }

  @Test
  void errorIsStoredAsItIs() {
    for (String text : TEXTS) {
      assertThat(store.markRetry(connection, text, later, text)).as(text).isEqualTo(1);
      assertThat(find(text).lastError()).isEqualTo(text);
    }
    bury();
    for (String text : TEXTS) {
      assertThat(find(text).status()).isEqualTo(EventStatus.DEAD);
      assertThat(find(text).lastError()).isEqualTo(text);
      assertThat(store.markDone(connection, text)).isZero();
    }
  }

  @Test
  void deadEventsAreFoundByWhatTheyAreAndByNothingElse() {
    bury();
    for (String text : TEXTS) {
      assertThat(store.queryDead(connection, text, null, ALL)).hasSize(1);
      assertThat(store.queryDead(connection, null, text, ALL)).hasSize(1);
      assertThat(store.countDead(connection, text)).as(text).isEqualTo(1);
      assertThat(dead(filter -> filter.withIds(List.of(text)))).containsExactly(text);
      assertThat(dead(filter -> filter.withEventType(text))).containsExactly(text);
      assertThat(dead(filter -> filter.withAggregate(text, text))).containsExactly(text);
      assertThat(dead(filter -> filter.withTenant(text))).containsExactly(text);
    }
    assertThat(dead(filter -> filter.withIds(TEXTS))).hasSize(ALL);
  }

  /** No character has a special meaning; upper and lower case of ASCII are the same. */
  @Test
  void deadEventsAreFoundByTheTextOfTheirErrors() {
    bury();
    for (String text : TEXTS) {
      List<String> expected =
          TEXTS.stream().filter(other -> lower(other).contains(lower(text))).toList();
      List<String> found = dead(filter -> filter.withErrorText(text));
      assertThat(found).contains(text);
      if (text.chars().allMatch(c -> c < 128)) {
        assertThat(found).containsAll(expected).allMatch(other -> isLike(other, text));
      }
    }
  }

  private static boolean isLike(String other, String text) {
    return lower(other).contains(lower(text));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  private List<String> dead(Function<DeadFilter, DeadFilter> filter) {
    DeadQuery query = DeadQuery.of(filter.apply(DeadFilter.all())).withLimit(ALL);
    List<String> found =
        store.queryDead(connection, query).stream().map(each -> each.event().eventId()).toList();
    assertThat(store.countDead(connection, query.filter(), ALL)).isEqualTo(found.size());
    return found;
  }

  @Test
  void pagesShowEachDeadEventOnce() {
    bury();
    List<String> seen = new ArrayList<>();
    DeadQuery query = DeadQuery.of(DeadFilter.all()).withLimit(7);
    List<EventDetails> page = store.queryDead(connection, query);
    while (!page.isEmpty()) {
      page.forEach(each -> seen.add(each.event().eventId()));
      OutboxEvent last = page.get(page.size() - 1).event();
      page = store.queryDead(connection, query.startingAfter(DeadQuery.Position.of(last)));
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(TEXTS);
  }

  @Test
  void oneIsReplayedOrDiscardedAndTheOthersStay() {
    bury();
    for (int i = 0; i < ALL; i++) {
      String text = TEXTS.get(i);
      DeadQuery query = DeadQuery.of(DeadFilter.all().withTenant(text));
      if (i % 3 == 0) {
        assertThat(store.replayDead(connection, text)).as(text).isEqualTo(1);
        assertThat(find(text).status()).isEqualTo(EventStatus.NEW);
      } else if (i % 3 == 1) {
        assertThat(store.replayDead(connection, query).changed()).as(text).isEqualTo(1);
        assertThat(find(text).status()).isEqualTo(EventStatus.NEW);
      } else {
        DiscardReason reason = new DiscardReason("because " + text);
        assertThat(store.discardDead(connection, query, reason).changed()).as(text).isEqualTo(1);
        assertThat(find(text).lastError())
            .isEqualTo("discarded: because " + text + "; died of " + text);
      }
      assertThat(store.countDead(connection, (String) null)).isEqualTo(ALL - 1 - i);
    }
  }

  @Test
  void everyOneIsPurgedAndArchivedOnce() {
    for (String text : TEXTS) {
      assertThat(store.markDone(connection, text)).as(text).isEqualTo(1);
    }
    List<String> archived = new ArrayList<>();
    PurgeRequest request =
        new PurgeRequest(
            PurgeRequest.Scope.DONE,
            later,
            ALL + 10,
            batch -> batch.forEach(each -> archived.add(each.event().eventId())));

    assertThat(store.purger().purge(connection, request)).isEqualTo(ALL);

    assertThat(archived).containsExactlyInAnyOrderElementsOf(TEXTS);
  }
}
