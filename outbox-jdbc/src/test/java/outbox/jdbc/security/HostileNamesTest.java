package outbox.jdbc.security;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.jdbc.TableName;
import outbox.jdbc.TableNames;
import outbox.jdbc.database.JdbcDatabase;
import outbox.jdbc.purge.PostgresEventPurger;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.jdbc.store.PostgresOutboxStore;
import outbox.model.DeadFilter;
import outbox.ordered.BlockedKeys;
import outbox.poller.OutboxPoller;
import outbox.spi.EventFilter;
import outbox.spi.NodeSession;
import outbox.testing.databases.Databases;

/** Names that become part of statements, and texts that no database can hold. */
class HostileNamesTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  /** Names of tables, schemas, channels, indexes and databases: all that isn't a parameter. */
  static Stream<Consumer<String>> names() {
    return Stream.of(
        TableNames::validate,
        TableName::of,
        TableName::parse,
        name -> TableName.of(name, "outbox_event"),
        name -> TableName.of("billing", name),
        PostgresOutboxStore::new,
        PostgresEventPurger::new,
        OutboxSchema::of,
        JdbcOutboxStores::get,
        name -> JdbcDatabase.of(Databases.h2().dataSource()).withTable(name));
  }

  @ParameterizedTest
  @MethodSource("names")
  void nameThatIsMoreThanANameIsRefused(Consumer<String> use) {
    Stream.concat(
            HostileTexts.all().stream().filter(text -> !text.matches("[A-Za-z_]+")),
            Stream.of("", "1a", "a.b.c", "a b", "x".repeat(64), "outbox_event;", "t\n", "t\0"))
        .forEach(name -> assertThatIllegalArgumentException().isThrownBy(() -> use.accept(name)));
  }

  /** Everything else that can be set goes into statements as a parameter. */
  static Stream<Consumer<String>> texts() {
    return Stream.of(
        text -> EventEnvelope.builder(text),
        text -> EventEnvelope.builder("T").eventId(text),
        text -> EventEnvelope.builder("T").aggregateType(text),
        text -> EventEnvelope.builder("T").aggregateId(text),
        text -> EventEnvelope.builder("T").tenantId(text),
        text -> EventFilter.ALL.withEventTypes(Set.of(text)),
        text -> EventFilter.ALL.withAggregateTypes(Set.of(text)),
        text -> EventFilter.ALL.withTenantIds(Set.of(text)),
        text -> DeadFilter.all().withIds(List.of(text)),
        text -> DeadFilter.all().withEventType(text),
        text -> DeadFilter.all().withAggregate(text, null),
        text -> DeadFilter.all().withAggregate("A", text),
        text -> DeadFilter.all().withTenant(text),
        text -> DeadFilter.all().withErrorText(text),
        text -> OutboxPoller.builder().claimLocking(text, LONG),
        text -> new NodeSession(text, "id", "node", 1, LONG),
        text -> new NodeSession("relay", text, "node", 1, LONG),
        text -> new NodeSession("relay", "id", text, 1, LONG),
        text -> new BlockedKeys(() -> null, new PostgresOutboxStore(), text),
        text -> {
          JdbcDatabase h2 = JdbcDatabase.of(Databases.h2().dataSource());
          Outbox.multiNode().database(h2).listener("T", event -> {}).nodeId(text).build();
        },
        text -> {
          JdbcDatabase h2 = JdbcDatabase.of(Databases.h2().dataSource());
          Outbox.ordered().database(h2).listener("T", event -> {}).relay(text).build();
        });
  }

  @ParameterizedTest
  @MethodSource("texts")
  void textThatNoDatabaseHoldsIsRefused(Consumer<String> use) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> use.accept("a\0b"))
        .withMessageContaining("must be free of NUL characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> use.accept("a\uD83Db"))
        .withMessageContaining("must be free of unpaired surrogates");
  }
}
