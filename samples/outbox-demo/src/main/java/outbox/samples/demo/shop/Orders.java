package outbox.samples.demo.shop;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import outbox.samples.demo.books.Ledger;
import outbox.spi.TxContext;

/** The business table. Every insert takes part in the transaction of the calling thread. */
public final class Orders {

  private final TxContext txContext;
  private final Ledger ledger;

  public Orders(TxContext txContext, Ledger ledger) {
    this.txContext = txContext;
    this.ledger = ledger;
  }

  public static void createTable(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE orders (
            id    VARCHAR(36)  PRIMARY KEY,
            item  VARCHAR(100) NOT NULL,
            cents INT          NOT NULL
          )
          """);
    }
  }

  void insert(Order order) throws SQLException {
    insertAll(List.of(order));
  }

  void insertAll(List<Order> batch) throws SQLException {
    String sql = "INSERT INTO orders (id, item, cents) VALUES (?, ?, ?)";
    try (PreparedStatement insert = txContext.currentConnection().prepareStatement(sql)) {
      for (Order order : batch) {
        insert.setString(1, order.id());
        insert.setString(2, order.item());
        insert.setInt(3, order.cents());
        insert.addBatch();
      }
      insert.executeBatch();
    }
    for (Order order : batch) {
      txContext.afterCommit(() -> ledger.orderCommitted(order.id()));
      txContext.afterRollback(() -> ledger.orderRolledBack(order.id()));
    }
  }
}
