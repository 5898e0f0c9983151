package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.TableName;
import outbox.jdbc.internal.Reason;
import outbox.jdbc.internal.TableOperations.Work;

/**
 * The event table and the tables that delivery in order needs beside it, in the same schema. Those
 * are shared by all event tables there.
 */
record OrderedTables(EventTable events, OrderedDialect dialect) {

  /** The operation completes the sentence "could not …". */
  <T> T run(String operation, Work<T> work) {
    return events.operations().runOrdered(operation, work);
  }

  /** As one transaction, or as part of the caller's. */
  <T> T inTransaction(String operation, Connection connection, Transactions.Work<T> work) {
    return run(
        operation,
        () ->
            Transactions.inTransaction(
                connection,
                tx -> {
                  events.beforeLocking(tx);
                  return work.on(tx);
                }));
  }

  String sql(String template) {
    return events.sql(named(template));
  }

  /** Likewise, with what payload and headers of a row weigh. */
  String weighing(String template) {
    return events.weighing(named(template));
  }

  private String named(String template) {
    return template
        .replace("{node}", shared("outbox_node"))
        .replace("{fence}", shared("outbox_fence"))
        .replace("{lease}", shared("outbox_lease"))
        .replace("{blocked}", shared("outbox_blocked"))
        .replace("{key}", shared("outbox_key"))
        .replace("{now}", dialect.now())
        .replace("{later}", dialect.later())
        .replace("{share}", dialect.share())
        .replace("{bucket}", dialect.bucket());
  }

  int update(Connection connection, String template, @Nullable Object... parameters) {
    return JdbcTemplate.update(connection, sql(template), parameters);
  }

  /** Does nothing if the row is there; the column is one of its table's. */
  void insertIfAbsent(
      Connection connection, String template, String column, @Nullable Object... parameters) {
    insertOr(connection, template, dialect.ifAbsent().replace("{first}", column), parameters);
  }

  /** With what the database does if the row is there; false if it refused it. */
  boolean insertOr(
      Connection connection, String template, String otherwise, @Nullable Object... parameters) {
    try {
      update(connection, template + " " + otherwise, parameters);
      return true;
    } catch (OutboxStoreException e) {
      if (!(e.getCause() instanceof SQLException cause && Reason.isDuplicate(cause))) {
        throw e;
      }
      return false;
    }
  }

  /** What stands for the relay in the shared tables: each event table has its own relays. */
  String relay(String relay) {
    String table = events.name().name();
    boolean isFolded = dialect != OrderedDialect.INNODB;
    return (isFolded ? table.toLowerCase(Locale.ROOT) : table) + "/" + relay;
  }

  String shared(String name) {
    return new TableName(events.name().schema(), name).toString();
  }
}
