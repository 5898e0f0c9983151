package outbox.benchmarks.contender;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A hand-written event table: the statements that differ between databases. */
interface RawTable {

  String INSERT = "INSERT INTO raw_event (event_type, payload) VALUES ('Tick', ?)";

  /** An event that was claimed. */
  record Claimed(long id, String payload) {}

  List<String> ddl(int fillFactor);

  /** The INSERT with the casts the database needs. */
  String insert();

  List<Claimed> claim(Connection connection, String node, int limit) throws SQLException;

  void complete(Connection connection, List<Claimed> events, Completion completion)
      throws SQLException;
}
