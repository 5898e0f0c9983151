/** Stores, purgers, schema and transactions for H2, PostgreSQL, MySQL, TiDB and MariaDB. */
@SuppressWarnings("opens") // schema holds scripts, not classes
module outbox.jdbc {
  requires transitive outbox.core;
  requires static transitive org.jspecify;

  exports outbox.jdbc;
  exports outbox.jdbc.database;
  exports outbox.jdbc.notify;
  exports outbox.jdbc.purge;
  exports outbox.jdbc.schema;
  exports outbox.jdbc.store;
  exports outbox.jdbc.tx;

  // Migration tools read the scripts as resources.
  opens schema;

  uses outbox.jdbc.store.AbstractJdbcOutboxStore;

  provides outbox.jdbc.store.AbstractJdbcOutboxStore with
      outbox.jdbc.store.H2OutboxStore,
      outbox.jdbc.store.MariaDbOutboxStore,
      outbox.jdbc.store.MySqlOutboxStore,
      outbox.jdbc.store.PostgresOutboxStore;
}
