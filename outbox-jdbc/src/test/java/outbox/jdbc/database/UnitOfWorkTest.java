package outbox.jdbc.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.Outbox;
import outbox.OutboxWriter;
import outbox.domain.EventMapper;
import outbox.domain.EventSource;
import outbox.domain.OutboxEvent;
import outbox.domain.UnitOfWork;
import outbox.jdbc.JdbcTemplate;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** Aggregates and their events are committed together, or neither is. */
@ParameterizedClass
@MethodSource("servers")
class UnitOfWorkTest {

  @Parameter Database server;

  private final EventMapper mapper =
      EventMapper.annotated(event -> "{\"stock\":%d}".formatted(((StockChanged) event).stock()));

  private Database database;
  private JdbcDatabase jdbc;
  private OutboxWriter writer;

  static List<Database> servers() {
    return List.of(Databases.h2(), Databases.postgres());
  }

  @OutboxEvent(aggregateType = "Item", aggregateId = "item")
  record StockChanged(String item, int stock) {}

  static final class Item implements EventSource {
    private final List<Object> events = new ArrayList<>();
    private final String name;

    Item(String name) {
      this.name = name;
    }

    Item stock(int stock) {
      events.add(new StockChanged(name, stock));
      return this;
    }

    @Override
    public List<?> events() {
      return events;
    }

    @Override
    public void clearEvents() {
      events.clear();
    }
  }

  @BeforeEach
  void create() throws SQLException {
    database = server.fresh();
    jdbc = JdbcDatabase.of(database.dataSource()).createTable();
    writer = Outbox.writerOnly().database(jdbc).build().writer();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE item (name VARCHAR(20) PRIMARY KEY)");
    }
  }

  @AfterEach
  void drop() {
    database.close();
  }

  @Test
  void commitWritesWhatTrackedAggregatesRaisedInTheOrderOfTracking() throws SQLException {
    Item lamp = new Item("lamp").stock(1);
    Item desk = new Item("desk").stock(5);

    try (UnitOfWork work = begin()) {
      work.track(desk);
      work.track(lamp);
      work.track(desk);
      insert("desk");
      lamp.stock(2);
      work.commit();
    }

    assertThat(written()).containsExactly("Item desk 5", "Item lamp 1", "Item lamp 2");
    assertThat(items()).containsExactly("desk");
    assertThat(lamp.events()).isEmpty();
    assertThat(desk.events()).isEmpty();
  }

  @Test
  void thousandsOfEventsAreWrittenInOrder() throws SQLException {
    Item lamp = new Item("lamp");
    IntStream.range(0, 3000).forEach(lamp::stock);

    try (UnitOfWork work = begin()) {
      work.track(lamp);
      work.commit();
    }

    assertThat(written())
        .isEqualTo(IntStream.range(0, 3000).mapToObj(stock -> "Item lamp " + stock).toList());
  }

  @Test
  void withoutACommitNothingIsWrittenAndTheAggregateKeepsItsEvents() throws SQLException {
    Item lamp = new Item("lamp").stock(1);

    try (UnitOfWork work = begin()) {
      work.track(lamp);
      insert("lamp");
    }
    try (UnitOfWork work = begin()) {
      work.track(lamp);
      insert("lamp");
      work.rollback();
    }

    assertThat(written()).isEmpty();
    assertThat(items()).isEmpty();
    assertThat(lamp.events()).hasSize(1);
  }

  @Test
  void anAggregateThatWasRolledBackIsCommittedByTheNextUnitOfWork() throws SQLException {
    Item lamp = new Item("lamp").stock(1);
    try (UnitOfWork work = begin()) {
      work.track(lamp);
      work.rollback();
    }

    try (UnitOfWork work = begin()) {
      work.track(lamp);
      insert("lamp");
      work.commit();
    }

    assertThat(written()).containsExactly("Item lamp 1");
  }

  @Test
  void anEventThatIsNoneForTheOutboxRollsEverythingBack() throws SQLException {
    Item lamp = new Item("lamp").stock(1);
    lamp.events.add("a text");

    try (UnitOfWork work = begin()) {
      work.track(lamp);
      insert("lamp");
      assertThatIllegalArgumentException()
          .isThrownBy(work::commit)
          .withMessageContaining("annotate it with @OutboxEvent");

      assertThat(jdbc.transactions().isTransactionActive()).isFalse();
      assertThatIllegalStateException()
          .isThrownBy(work::commit)
          .withMessageContaining("begin another one");
    }

    assertThat(items()).isEmpty();
    assertThat(written()).isEmpty();
    assertThat(lamp.events()).hasSize(2);
  }

  @Test
  void eventsAreClearedThoughACallbackAfterTheCommitFails() throws SQLException {
    Item lamp = new Item("lamp").stock(1);

    try (UnitOfWork work = begin()) {
      work.track(lamp);
      jdbc.transactions()
          .afterCommit(
              () -> {
                throw new IllegalStateException("not mine");
              });
      assertThatIllegalStateException().isThrownBy(work::commit).withMessage("not mine");
    }

    assertThat(written()).hasSize(1);
    assertThat(lamp.events()).isEmpty();
  }

  @Test
  void aUnitOfWorkThatHasEndedTracksNothing() throws SQLException {
    UnitOfWork work = begin();
    work.close();

    assertThatIllegalStateException().isThrownBy(() -> work.track(new Item("lamp")));
  }

  private UnitOfWork begin() throws SQLException {
    return UnitOfWork.in(jdbc.begin(), writer, mapper);
  }

  private void insert(String item) {
    JdbcTemplate.update(jdbc.connection(), "INSERT INTO item VALUES (?)", item);
  }

  private List<String> items() throws SQLException {
    return query("SELECT name FROM item", row -> row.getString(1));
  }

  private List<String> written() throws SQLException {
    return query(
        "SELECT aggregate_type, aggregate_id, payload FROM outbox_event ORDER BY seq",
        row ->
            row.getString(1)
                + " "
                + row.getString(2)
                + " "
                + row.getString(3).replaceAll("\\D", ""));
  }

  private List<String> query(String sql, JdbcTemplate.RowMapper<String> rows) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      return JdbcTemplate.query(connection, sql, rows);
    }
  }
}
