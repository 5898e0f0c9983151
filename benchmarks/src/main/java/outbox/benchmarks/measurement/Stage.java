package outbox.benchmarks.measurement;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import outbox.benchmarks.contender.Completion;
import outbox.benchmarks.contender.Setup;
import outbox.testing.databases.Database;

/** An empty database for one trial, gone when it ends. */
final class Stage implements AutoCloseable {

  private static final int POOL_SIZE = 40;

  private final Database database;
  private final List<String> settle;
  private final List<HikariDataSource> pools = new ArrayList<>();

  Stage(Database database, List<String> settle) {
    this.database = database;
    this.settle = settle;
  }

  String url() {
    return database.url();
  }

  /** A setup with a pool of its own, as another node would have. */
  Setup setup(Completion completion, String node) {
    return new Setup(newPool(), completion, node);
  }

  Setup setup(Completion completion) {
    return setup(completion, "node");
  }

  DataSource newPool() {
    HikariDataSource pool = pool(url());
    pools.add(pool);
    return pool;
  }

  /** Ends the work that filling left behind, so that it isn't done while the clock runs. */
  void settle() throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : settle) {
        statement.execute(sql);
      }
    }
  }

  void closePools() {
    pools.forEach(HikariDataSource::close);
    pools.clear();
  }

  @Override
  public void close() {
    closePools();
    database.close();
  }

  static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(POOL_SIZE);
    config.setMinimumIdle(8);
    config.setAutoCommit(!url.startsWith("jdbc:mariadb:")); // each change of it is a trip there
    return new HikariDataSource(config);
  }
}
