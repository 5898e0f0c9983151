package outbox.jdbc.purge;

import outbox.jdbc.TableName;

/** Purges a table in MariaDB 10.6 or later. */
public class MariaDbEventPurger extends MySqlFamilyEventPurger {

  public MariaDbEventPurger() {}

  public MariaDbEventPurger(String table) {
    super(table);
  }

  private MariaDbEventPurger(TableName table) {
    super(table);
  }

  @Override
  public MariaDbEventPurger withTable(TableName table) {
    return new MariaDbEventPurger(table);
  }

  @Override
  protected String name() {
    return "mariadb";
  }
}
