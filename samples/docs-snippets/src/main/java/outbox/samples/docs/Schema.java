package outbox.samples.docs;

import javax.sql.DataSource;
import outbox.jdbc.TableName;
import outbox.jdbc.purge.H2EventPurger;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.spi.EventPurger;
import outbox.spi.OutboxStore;

/** Tables: the default one, and one of another name in another schema. */
final class Schema {

  record Parts(OutboxStore store, EventPurger purger) {}

  private Schema() {}

  static void apply(DataSource dataSource) {
    // docs:begin apply
    OutboxSchema.detect(dataSource).apply(dataSource);
    // docs:end apply
  }

  static Parts inAnotherSchema(DataSource dataSource) {
    // docs:begin table-name
    TableName table = TableName.of("billing", "billing_outbox");
    OutboxSchema.detect(dataSource).withTable(table).apply(dataSource);
    OutboxStore store = JdbcOutboxStores.detect(dataSource).withTable(table);
    EventPurger purger = new H2EventPurger().withTable(table);
    // docs:end table-name
    return new Parts(store, purger);
  }
}
