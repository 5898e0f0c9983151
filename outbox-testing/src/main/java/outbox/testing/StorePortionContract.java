package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.spi.Claim;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;
import outbox.spi.Fetched;

/** A fetch ends with the event that brings it to its bytes, whatever it was to hold. */
abstract class StorePortionContract extends StoreSettleContract {

  private static final int PAYLOAD = 400;

  @Test
  void fetchEndsWithTheEventThatReachesItsBytes() {
    List<EventEnvelope> events = inserted(5);

    assertFetched(10, 2 * PAYLOAD + 1, events.subList(0, 3));
    assertThat(events.subList(3, 5))
        .allSatisfy(event -> assertThat(session.row(event).lockedBy()).isNull());
  }

  @Test
  void fetchIsCompleteIfItFits() {
    List<EventEnvelope> events = inserted(5);

    assertFetched(5, 5 * PAYLOAD, events);
  }

  @Test
  void eventLargerThanAllBytesIsFetchedAlone() {
    List<EventEnvelope> events = List.of(insert(300_000), insert(300_000));

    assertFetched(1000, 1, events.subList(0, 1));
  }

  @Test
  void largeEventAmongSmallOnesIsFetchedIfItFits() {
    List<EventEnvelope> events = List.of(insert(10), insert(50_000), insert(10), insert(60_000));

    assertFetched(1000, 1_000_000, events);
  }

  @Test
  void largeEventAmongSmallOnesEndsTheFetch() {
    List<EventEnvelope> events = List.of(insert(10), insert(50_000), insert(10));

    assertFetched(10, 20_000, events.subList(0, 2));
  }

  @Test
  void headersCount() {
    List<EventEnvelope> events =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    session.insert(
                        EventEnvelope.builder("T")
                            .headers(Map.of("h", "v".repeat(PAYLOAD)))
                            .payloadJson("{}")
                            .build()))
            .toList();

    assertFetched(10, PAYLOAD + 100, events.subList(0, 2));
  }

  @Test
  void newEventsAndThoseToBeTriedAgainShareTheBytes() {
    List<EventEnvelope> events = inserted(6);
    Instant longAgo = StoreSession.now().minusSeconds(3600);
    List.of(0, 2, 4).forEach(i -> session.markRetry(events.get(i), longAgo, "e"));

    List<Fetched> first = session.call(connection -> fetch(connection, claim(), 10, 2 * PAYLOAD));
    List<Fetched> others = session.call(connection -> fetch(connection, claim(), 10, 6 * PAYLOAD));

    assertThat(first).hasSize(2);
    assertThat(Stream.of(first, others).flatMap(List::stream))
        .extracting(row -> row.event().payloadJson().length())
        .hasSize(6)
        .containsOnly(PAYLOAD);
  }

  /** Where a transaction has its view of the first moment, a lock is taken beyond it. */
  @Test
  void claimInATransactionReadsWhatOthersWroteMeanwhile() {
    session.inTransaction(
        connection -> {
          assertThat(fetch(connection, null, 10, 1)).isEmpty();
          List<EventEnvelope> events = List.of(insert(10), insert(50_000));

          List<Fetched> claimed = fetch(connection, claim(), 10, 20_000);

          assertSame(claimed, events);
          connection.commit();
          return connection;
        });
  }

  private List<EventEnvelope> inserted(int count) {
    return IntStream.range(0, count).mapToObj(i -> insert(PAYLOAD)).toList();
  }

  private EventEnvelope insert(int bytes) {
    return session.insert(EventEnvelope.ofJson("T", '"' + "x".repeat(bytes - 2) + '"'));
  }

  /** Without a claim, and then with one. */
  private void assertFetched(int limit, long bytes, List<EventEnvelope> events) {
    assertSame(session.call(connection -> fetch(connection, null, limit, bytes)), events);
    assertSame(session.call(connection -> fetch(connection, claim(), limit, bytes)), events);
  }

  private void assertSame(List<Fetched> fetched, List<EventEnvelope> events) {
    assertThat(fetched)
        .extracting(row -> row.event().eventId())
        .containsExactlyElementsOf(events.stream().map(EventEnvelope::eventId).toList());
    assertThat(fetched)
        .extracting(row -> row.event().payloadJson())
        .containsExactlyElementsOf(events.stream().map(EventEnvelope::payloadJson).toList());
    assertThat(fetched)
        .allSatisfy(row -> assertThat(row.event().headersJson()).isEqualTo(headersOf(row)));
  }

  private @Nullable String headersOf(Fetched row) {
    return session.find(row.event().eventId()).orElseThrow().event().headersJson();
  }

  private List<Fetched> fetch(Connection connection, @Nullable Claim claim, int limit, long bytes) {
    Instant now = claim == null ? StoreSession.soon() : claim.lockedAt();
    return session
        .store()
        .fetch(
            connection, new Fetch(now, Duration.ZERO, limit, EventFilter.ALL, claim, null, bytes));
  }

  private static Claim claim() {
    Clock clock = Clock.fixed(StoreSession.soon(), ZoneOffset.UTC);
    return Claim.starting("node-1", clock, Duration.ofMinutes(5));
  }
}
