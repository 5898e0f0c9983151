package outbox.jdbc.purge;

import outbox.jdbc.TableName;

/** Purges a table in MySQL 8.0.1 or later, or TiDB where it knows {@code SKIP LOCKED}. */
public class MySqlEventPurger extends MySqlFamilyEventPurger {

  public MySqlEventPurger() {}

  public MySqlEventPurger(String table) {
    super(table);
  }

  private MySqlEventPurger(TableName table) {
    super(table);
  }

  @Override
  public MySqlEventPurger withTable(TableName table) {
    return new MySqlEventPurger(table);
  }

  @Override
  protected String name() {
    return "mysql";
  }
}
