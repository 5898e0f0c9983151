package outbox.poller;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.spi.OutboxStore;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;

/** A poller that meets other nodes leaps ahead, and comes back for what it passed over. */
class LeapingPollerTest {

  private final Harness harness = new Harness();

  @AfterEach
  void close() {
    harness.close();
  }

  @Test
  void claimThatLeapsAndFindsTooLittleLooksAtEverythingAtOnce() {
    SharedBacklog backlog = new SharedBacklog(harness.store);
    Set<String> taken = ConcurrentHashMap.newKeySet();
    harness.stored(300);

    harness
        .build(
            harness
                .poller(harness.build(harness.dispatcher()), backlog)
                .handler((event, attempts) -> taken.add(event.eventId()))
                .claimLocking("node-1", Harness.LONG)
                .batchSize(100))
        .start();

    Harness.eventually(() -> taken.size() == 300);
    assertThat(backlog.starts)
        .startsWith("null", backlog.second(99).toString(), backlog.second(1891).toString(), "null");
  }

  /**
   * A hundred events, then what others have taken, then a hundred more, nothing behind that, and a
   * hundred that a leap passes over.
   */
  private static final class SharedBacklog extends DelegatingStore {

    private final OutboxStore store;
    private final Instant begin = Instant.parse("2020-01-01T00:00:00Z");
    private final List<String> starts = new CopyOnWriteArrayList<>();

    SharedBacklog(OutboxStore store) {
      super(store);
      this.store = store;
    }

    @Override
    public List<Fetched> fetch(Connection connection, Fetch fetch) {
      starts.add(String.valueOf(fetch.dueSince()));
      if (fetch.dueSince() != null && fetch.dueSince().isAfter(second(1099))) {
        return List.of();
      }
      int from = starts.size() == 2 ? 1000 : 0;
      List<Fetched> rows = store.fetch(connection, fetch);
      return IntStream.range(0, rows.size())
          .mapToObj(i -> new Fetched(rows.get(i).event(), second(from + i), false))
          .toList();
    }

    Instant second(int number) {
      return begin.plusSeconds(number);
    }
  }
}
