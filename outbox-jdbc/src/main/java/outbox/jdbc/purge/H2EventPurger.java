package outbox.jdbc.purge;

import outbox.jdbc.TableName;

/** Purges a table in H2. */
public class H2EventPurger extends AbstractJdbcEventPurger {

  public H2EventPurger() {}

  public H2EventPurger(String table) {
    super(table);
  }

  private H2EventPurger(TableName table) {
    super(table);
  }

  @Override
  public H2EventPurger withTable(TableName table) {
    return new H2EventPurger(table);
  }

  @Override
  protected String name() {
    return "h2";
  }
}
