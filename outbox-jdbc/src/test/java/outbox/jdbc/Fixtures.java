package outbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.stream.Stream;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.purge.H2EventPurger;
import outbox.jdbc.purge.MariaDbEventPurger;
import outbox.jdbc.purge.MySqlEventPurger;
import outbox.jdbc.purge.PostgresEventPurger;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.H2OutboxStore;
import outbox.jdbc.store.MariaDbOutboxStore;
import outbox.jdbc.store.MySqlOutboxStore;
import outbox.jdbc.store.PostgresOutboxStore;
import outbox.testing.StoreFixture;
import outbox.testing.databases.Connections;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** Every store on every database it is for, over all kinds of connections. */
public final class Fixtures {

  private Fixtures() {}

  static Stream<StoreFixture> h2() {
    return onOwnSchema(Databases.h2(), new H2OutboxStore(), new H2EventPurger());
  }

  static Stream<StoreFixture> h2InMySqlMode() {
    return onSpecifiedTable(Databases.h2MySqlMode(), new H2OutboxStore(), new H2EventPurger());
  }

  static Stream<StoreFixture> mySqlStoreOnH2() {
    return onSpecifiedTable(
        Databases.h2MySqlMode(), new MySqlOutboxStore(), new MySqlEventPurger());
  }

  static Stream<StoreFixture> postgres() {
    return onOwnSchema(Databases.postgres(), new PostgresOutboxStore(), new PostgresEventPurger());
  }

  /** Partitioned by the day of creation, today and tomorrow prepared. */
  static Stream<StoreFixture> postgresByDay() {
    Database database = Databases.postgres().fresh();
    PartitionedTable.create(database.dataSource());
    PartitionedTable.addDay(database.dataSource(), "now()");
    PartitionedTable.addDay(database.dataSource(), "now() + INTERVAL '1 day'");
    return fixtures(database, new PostgresOutboxStore(), new PostgresEventPurger());
  }

  static Stream<StoreFixture> mariaDb() {
    return onOwnSchema(Databases.mariaDb(), new MariaDbOutboxStore(), new MariaDbEventPurger());
  }

  static Stream<StoreFixture> mariaDbByMySqlDriver() {
    return onOwnSchema(
        Databases.mariaDbViaMySqlDriver(), new MySqlOutboxStore(), new MySqlEventPurger());
  }

  static Stream<StoreFixture> mySql() {
    return onOwnSchema(Databases.mysql(), new MySqlOutboxStore(), new MySqlEventPurger());
  }

  /** The one that most applications have. */
  static StoreFixture pooled(Stream<StoreFixture> fixtures) {
    return fixtures.filter(f -> f.name().endsWith(Connections.POOLED.name())).findAny().get();
  }

  private static Stream<StoreFixture> onOwnSchema(
      Database server, AbstractJdbcOutboxStore store, AbstractJdbcEventPurger purger) {
    Database database = server.fresh();
    OutboxSchema.of(store.name()).apply(database.dataSource());
    return fixtures(database, store, purger);
  }

  /** The fifteen columns of the specification, with CLOB where H2's JSON would rewrite the text. */
  private static Stream<StoreFixture> onSpecifiedTable(
      Database server, AbstractJdbcOutboxStore store, AbstractJdbcEventPurger purger) {
    Database database = server.fresh();
    SpecifiedTable.create(database.dataSource(), "CLOB", "DATETIME(6)");
    return fixtures(database, store, purger);
  }

  private static Stream<StoreFixture> fixtures(
      Database database, AbstractJdbcOutboxStore store, AbstractJdbcEventPurger purger) {
    return Arrays.stream(Connections.values())
        .map(
            connections ->
                new StoreFixture(
                    database.name() + ", " + connections,
                    store,
                    purger,
                    new DataSourceConnectionProvider(database.dataSource(connections)),
                    () -> empty(database)));
  }

  private static void empty(Database database) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM outbox_event");
    }
  }
}
