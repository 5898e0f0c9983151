package outbox.samples.docs;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import outbox.OutboxWriter;
import outbox.domain.EventMapper;
import outbox.domain.EventSource;
import outbox.domain.OutboxEvent;
import outbox.domain.UnitOfWork;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.database.JdbcDatabase;

/** Aggregates and their events without a framework. */
final class Baskets {

  // docs:begin source
  @OutboxEvent(aggregateType = "Basket", aggregateId = "basketId")
  record ItemAdded(int basketId, String item) {}

  static final class Basket implements EventSource {

    private final int id;
    private final List<Object> events = new ArrayList<>();

    Basket(int id) {
      this.id = id;
    }

    void add(String item) {
      events.add(new ItemAdded(id, item));
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

  // docs:end source

  private final JdbcDatabase database;
  private final OutboxWriter writer;
  private final EventMapper mapper;

  Baskets(JdbcDatabase database, OutboxWriter writer) {
    this.database = database;
    this.writer = writer;
    // docs:begin mapper
    EventMapper mapper = EventMapper.annotated(event -> json(event));
    // docs:end mapper
    this.mapper = mapper;
  }

  void fill(int id) throws SQLException {
    // docs:begin unit-of-work
    try (UnitOfWork work = UnitOfWork.in(database.begin(), writer, mapper)) {
      Basket basket = work.track(new Basket(id));
      basket.add("lamp");
      insert(database.connection(), basket);
      work.commit();
    }
    // docs:end unit-of-work
  }

  private static void insert(Connection connection, Basket basket) {
    JdbcTemplate.update(connection, "INSERT INTO basket (id) VALUES (?)", basket.id);
  }

  private static String json(Object event) {
    ItemAdded added = (ItemAdded) event;
    return "{\"basketId\":%d,\"item\":\"%s\"}".formatted(added.basketId(), added.item());
  }
}
