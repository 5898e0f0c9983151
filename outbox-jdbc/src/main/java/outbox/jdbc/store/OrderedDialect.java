package outbox.jdbc.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.internal.TransactionSettings;
import outbox.internal.Transactions.Work;
import outbox.jdbc.internal.ReadUncommitted;

/** What delivery in order does differently by database. */
enum OrderedDialect {
  H2 {
    /** With its zone, whatever that is: the column has one, too. */
    @Override
    String now() {
      return "CURRENT_TIMESTAMP(6)";
    }

    @Override
    String later() {
      return "DATEADD(MICROSECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP(6))";
    }

    /** H2 has no lock that is shared. */
    @Override
    String share() {
      return "FOR UPDATE";
    }

    /** A refused INSERT leaves the transaction as it was. */
    @Override
    String ifAbsent() {
      return "";
    }

    @Override
    String blockedAgain() {
      return "";
    }

    @Override
    String bucket() {
      return "COALESCE(partition_no, ORA_HASH(event_id, 1023))";
    }

    /** One status at a time, and by all columns of the index, or H2 would sort. */
    @Override
    List<String> pending(boolean isForward) {
      return List.of("status = 0", "status = 2");
    }

    @Override
    String order() {
      return "status, seq";
    }

    @Override
    <T> T uncommitted(Connection connection, Work<T> work) throws SQLException {
      return ReadUncommitted.onConnection(connection, work);
    }
  },

  POSTGRESQL {
    @Override
    String now() {
      return "clock_timestamp()";
    }

    @Override
    String later() {
      return "clock_timestamp() + ? * INTERVAL '1 microsecond'";
    }

    @Override
    String share() {
      return "FOR SHARE";
    }

    @Override
    String hold(Duration patience) {
      return "SELECT set_config('idle_in_transaction_session_timeout', '%d', TRUE) FROM {fence} WHERE session_id = ? FOR SHARE"
          .formatted(patience.toMillis());
    }

    @Override
    boolean limitsByHold() {
      return true;
    }

    /** Until the transaction ends. */
    @Override
    Setting limitStandstill(Duration patience) {
      return new Setting(
          "SET LOCAL idle_in_transaction_session_timeout = " + patience.toMillis(), null);
    }

    /**
     * Set once, before the first row and after the lock on the table, which is waited for as ever:
     * nobody else gets at the rows behind that either. It ends with the transaction.
     */
    @Override
    String limitingCondition() {
      return "(SELECT set_config('lock_timeout', '%d', TRUE)) IS NOT NULL"
          .formatted(LONGEST_WAIT.toMillis());
    }

    @Override
    String ifAbsent() {
      return "ON CONFLICT DO NOTHING";
    }

    @Override
    String blockedAgain() {
      return "ON CONFLICT (relay, event_id) DO UPDATE SET blocked_at = EXCLUDED.blocked_at";
    }

    /** Not by partition_no, which only tables of PostgreSQL 18 and later have. */
    @Override
    String bucket() {
      return "(COALESCE(hashtextextended(COALESCE(aggregate_type, '') || ':' || aggregate_id, 0),"
          + " hashtextextended(event_id, 0)) & 1023)::INT";
    }

    /** As the index says it: statuses of pending rows are even. */
    @Override
    List<String> pending(boolean isForward) {
      return List.of("(status & 1) = 0");
    }

    @Override
    <T> T uncommitted(Connection connection, Work<T> work) {
      throw new UnsupportedOperationException("PostgreSQL shows nothing that is not committed");
    }
  },

  INNODB {
    @Override
    String now() {
      return "UTC_TIMESTAMP(6)";
    }

    @Override
    String later() {
      return "UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND";
    }

    @Override
    String share() {
      return "LOCK IN SHARE MODE";
    }

    /** Other databases that speak the dialect take it for a comment. */
    @Override
    Setting limitStandstill(Duration patience) {
      return new Setting(
          "/*! SET @outbox_wait_timeout = @@SESSION.wait_timeout, SESSION wait_timeout = %d */"
              .formatted(patience.toSeconds()),
          "/*! SET SESSION wait_timeout = COALESCE(@outbox_wait_timeout, @@SESSION.wait_timeout)"
              + " */");
    }

    /** In one statement, and set back by one, so that it costs no round trip of its own. */
    @Override
    Setting limitWait(@Nullable Duration standstill) {
      String limit =
          """
          /*! SET @outbox_idle = @@SESSION.wait_timeout, {standstill}
            @outbox_lock_wait = @@SESSION.innodb_lock_wait_timeout,
            SESSION innodb_lock_wait_timeout = {wait} */
          """
              .replace(
                  "{standstill}",
                  standstill == null
                      ? ""
                      : "SESSION wait_timeout = " + standstill.toSeconds() + ',')
              .replace("{wait}", String.valueOf(LONGEST_WAIT.toSeconds()));
      String setBack =
          """
          /*! SET SESSION wait_timeout = COALESCE(@outbox_idle, @@SESSION.wait_timeout),
            SESSION innodb_lock_wait_timeout =
              COALESCE(@outbox_lock_wait, @@SESSION.innodb_lock_wait_timeout) */
          """;
      return new Setting(limit, setBack);
    }

    /** Unlike INSERT IGNORE it refuses what is wrong with the row. */
    @Override
    String ifAbsent() {
      return "ON DUPLICATE KEY UPDATE {first} = {first}";
    }

    @Override
    String blockedAgain() {
      return "ON DUPLICATE KEY UPDATE blocked_at = VALUES(blocked_at)";
    }

    @Override
    String bucket() {
      return "COALESCE(partition_no, CRC32(event_id) & 1023)";
    }

    /**
     * The sum keeps it from the indexes by status, so that a scan of what is new goes along the
     * numbers. Below, where next to everything is finished, an index by status may be better.
     */
    @Override
    List<String> pending(boolean isForward) {
      return List.of(isForward ? "status + 0 IN (0, 2)" : "status IN (0, 2)");
    }

    @Override
    <T> T uncommitted(Connection connection, Work<T> work) throws SQLException {
      return ReadUncommitted.inNextTransaction(connection, work);
    }

    /**
     * An INSERT takes its number before it waits for others' locks on the gap that its row belongs
     * into. MySQL takes for a comment what MariaDB alone knows: its own list counts in whole
     * seconds, so that such an INSERT would show when it has been passed.
     */
    @Override
    String slowInserts() {
      return """
      SELECT /*M! QUERY_ID, */ ID
      FROM information_schema.PROCESSLIST
      WHERE (FALSE /*M! OR TIME_MS >= 250 */)
        AND COMMAND <> 'Sleep'
        AND ID <> CONNECTION_ID()
        AND LOCATE(?, INFO) > 0
        AND INFO NOT REGEXP '^[[:space:](]*(SELECT|UPDATE|DELETE)'
      """;
    }
  };

  /** How long statements wait for a row that somebody else has locked, if they are limited. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  /** A statement for one transaction, and the one that undoes it; null: its end does. */
  record Setting(String statement, @Nullable String setBack) {

    void apply(Connection connection) throws SQLException {
      TransactionSettings.set(connection, statement, setBack);
    }
  }

  /** The time by the database's clock. */
  abstract String now();

  /** The time in so many microseconds. */
  abstract String later();

  /** Locks a row so that nobody deletes it. */
  abstract String share();

  /**
   * Locks the fence of a session; where the database can, for a transaction that it ends once its
   * client has done nothing for this long, because others can't take over as long as it is open.
   */
  String hold(Duration patience) {
    return "SELECT session_id FROM {fence} WHERE session_id = ? {share}";
  }

  /** Whether that one statement does both. */
  boolean limitsByHold() {
    return false;
  }

  /** Ends a transaction once its client has done nothing for this long; null: it can't. */
  @Nullable Setting limitStandstill(Duration patience) {
    return null;
  }

  /**
   * Likewise, if it may not stand still for longer than this, and has its statements wait for locks
   * on rows no longer than {@link #LONGEST_WAIT}; null where {@link #limitingCondition} does that,
   * or nothing.
   */
  @Nullable Setting limitWait(@Nullable Duration standstill) {
    return standstill == null ? null : limitStandstill(standstill);
  }

  /** Always true, and has its statement wait no longer than that; null: no condition does so. */
  @Nullable String limitingCondition() {
    return null;
  }

  /** What ends an INSERT so that it does nothing if the row is there; empty: it is refused. */
  abstract String ifAbsent();

  /** Likewise for an INSERT of what blocks, so that it sets the time if the row is there. */
  abstract String blockedAgain();

  /** The bucket of a row, from 0 to 1023: by its aggregate, and if it has none, by its id. */
  abstract String bucket();

  /** The conditions that find pending rows, one query each. */
  abstract List<String> pending(boolean isForward);

  /** In which the rows of such a query come along an index. */
  String order() {
    return "seq";
  }

  /**
   * Which statements that may insert into the table have been running for a while: each may have
   * taken numbers whose rows don't show yet, even to those who see what is uncommitted. Null: there
   * are none.
   */
  @Nullable String slowInserts() {
    return null;
  }

  /** Runs a query that sees uncommitted rows. */
  abstract <T> T uncommitted(Connection connection, Work<T> work) throws SQLException;
}
