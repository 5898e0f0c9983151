package outbox.samples.docs;

// docs:begin imports
import java.sql.SQLException;
import org.h2.jdbcx.JdbcConnectionPool;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;

// docs:end imports

/** The README's first example: one event, from a transaction to its listener, on H2. */
public final class Quickstart {

  private Quickstart() {}

  public static void main(String[] args) throws SQLException {
    // docs:begin quickstart
    var dataSource = JdbcConnectionPool.create("jdbc:h2:mem:shop", "sa", "");
    var database = JdbcDatabase.of(dataSource).createTable();

    try (var outbox =
        Outbox.singleNode()
            .database(database)
            .listener("OrderPlaced", event -> System.out.println("got " + event.payloadJson()))
            .build()) {
      outbox.start();
      try (var transaction = database.begin()) {
        // your own statements go here, on database.connection()
        outbox.writer().write("OrderPlaced", "{\"orderId\":42}");
        transaction.commit();
      }
    }
    // docs:end quickstart
    dataSource.dispose();
  }
}
