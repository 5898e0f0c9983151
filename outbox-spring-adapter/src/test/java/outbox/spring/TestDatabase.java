package outbox.spring;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A database of its own in memory, behind a pool, with one table of notes. */
final class TestDatabase implements AutoCloseable {

  private final HikariDataSource dataSource = new HikariDataSource();

  TestDatabase() {
    this(true);
  }

  TestDatabase(boolean autoCommit) {
    dataSource.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    dataSource.setAutoCommit(autoCommit);
    dataSource.setMaximumPoolSize(4);
    transaction()
        .executeWithoutResult(
            status -> new JdbcTemplate(dataSource).execute("CREATE TABLE note (text VARCHAR(64))"));
  }

  DataSource dataSource() {
    return dataSource;
  }

  TransactionTemplate transaction() {
    return new TransactionTemplate(new JdbcTransactionManager(dataSource));
  }

  TransactionTemplate transaction(int propagation) {
    TransactionTemplate template = transaction();
    template.setPropagationBehavior(propagation);
    return template;
  }

  static void insertNote(Connection connection, String text) {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO note VALUES ('" + text + "')");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What others see, each read on a connection of its own. */
  List<String> committedNotes() {
    return transaction(TransactionTemplate.PROPAGATION_REQUIRES_NEW)
        .execute(
            status ->
                new JdbcTemplate(dataSource)
                    .queryForList("SELECT text FROM note ORDER BY text", String.class));
  }

  int connectionsInUse() {
    return dataSource.getHikariPoolMXBean().getActiveConnections();
  }

  @Override
  public void close() {
    new JdbcTemplate(dataSource).execute("SHUTDOWN");
    dataSource.close();
  }
}
