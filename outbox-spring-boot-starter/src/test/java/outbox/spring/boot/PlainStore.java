package outbox.spring.boot;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import outbox.EventEnvelope;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.H2OutboxStore;
import outbox.model.OutboxEvent;
import outbox.spi.OutboxStore;

/** A store of an application's own that implements no more than it has to. */
record PlainStore(OutboxStore store) implements OutboxStore {

  @Configuration(proxyBeanMethods = false)
  static class AsBean {

    @Bean
    OutboxStore plainStore(DataSource dataSource) {
      OutboxSchema.of("h2").unordered().apply(dataSource);
      return new PlainStore(new H2OutboxStore());
    }
  }

  @Override
  public void insertNew(Connection connection, EventEnvelope event) {
    store.insertNew(connection, event);
  }

  @Override
  public int markDone(Connection connection, String eventId) {
    return store.markDone(connection, eventId);
  }

  @Override
  public int markRetry(
      Connection connection, String eventId, Instant nextAt, @Nullable String error) {
    return store.markRetry(connection, eventId, nextAt, error);
  }

  @Override
  public int markDead(Connection connection, String eventId, @Nullable String error) {
    return store.markDead(connection, eventId, error);
  }

  @Override
  public List<OutboxEvent> pollPending(
      Connection connection, Instant now, Duration skipRecent, int limit) {
    return store.pollPending(connection, now, skipRecent, limit);
  }
}
