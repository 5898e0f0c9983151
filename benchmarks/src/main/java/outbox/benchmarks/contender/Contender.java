package outbox.benchmarks.contender;

import java.sql.SQLException;

/**
 * One way to commit events with business data and to deliver them, opened on a database.
 *
 * <p>Until {@link #start} nothing is delivered. {@link #write} may be called by any number of
 * threads.
 */
public interface Contender extends AutoCloseable {

  /** Creates the contender's tables and the business table in an empty database. */
  void createTables() throws SQLException;

  /** Commits one business row and its event in one transaction. */
  void write(long id) throws Exception;

  /** Commits the events {@code from} until {@code to}, many at a time; none is delivered. */
  void fill(long from, long to) throws Exception;

  /** Starts to deliver what is there and what is written from now on. */
  void start(EventSink sink) throws Exception;

  /** How many committed events are not completed. */
  long pending() throws SQLException;

  @Override
  void close();
}
