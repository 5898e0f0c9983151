package outbox.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.internal.TransactionSettings;
import outbox.internal.Transactions;
import outbox.jdbc.JdbcTemplate;

class TransactionSettingsTest {

  private Connection connection;
  private Connection other;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:h2:mem:");
    other = DriverManager.getConnection("jdbc:h2:mem:");
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
    other.close();
  }

  @Test
  void settingLastsUntilTheCommit() throws SQLException {
    String during = Transactions.inTransaction(connection, tx -> set(tx, "limited"));

    assertThat(during).isEqualTo("limited");
    assertThat(value(connection)).isEqualTo("free");
  }

  @Test
  void settingIsSetBackAfterARollback() {
    assertThatThrownBy(
            () ->
                Transactions.inTransaction(
                    connection,
                    tx -> {
                      set(tx, "limited");
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");

    assertThat(value(connection)).isEqualTo("free");
  }

  @Test
  void settingIsSetBackWithoutAutoCommit() throws SQLException {
    connection.setAutoCommit(false);

    String during = Transactions.committed(connection, tx -> set(tx, "limited"));

    assertThat(during).isEqualTo("limited");
    assertThat(value(connection)).isEqualTo("free");
  }

  @Test
  void firstOfTwoThatAreSetBackAlikeCounts() throws SQLException {
    String during =
        Transactions.inTransaction(
            connection,
            tx -> {
              set(tx, "limited");
              return Transactions.inTransaction(tx, inner -> set(inner, "again"));
            });

    assertThat(during).isEqualTo("limited");
  }

  @Test
  void transactionInsideOfAnotherHasSettingsOfItsOwn() throws SQLException {
    List<String> values =
        Transactions.inTransaction(
            connection,
            tx -> {
              set(tx, "outer");
              String inner = Transactions.inTransaction(other, otherTx -> set(otherTx, "inner"));
              return List.of(inner, value(other), value(tx));
            });

    assertThat(values).containsExactly("inner", "free", "outer");
  }

  @Test
  void transactionOfTheApplicationIsLeftAsItIs() throws SQLException {
    connection.setAutoCommit(false);

    assertThat(set(connection, "limited")).isNull();
  }

  @Test
  void statementThatCommitsByItselfCanHaveSettingsToo() throws SQLException {
    String during = TransactionSettings.during(connection, alone -> set(alone, "limited"));

    assertThat(during).isEqualTo("limited");
    assertThat(value(connection)).isEqualTo("free");
    assertThat(TransactionSettings.areOf(connection)).isFalse();
  }

  @Test
  void lastThatWasSetIsSetBackFirst() throws SQLException {
    Transactions.inTransaction(
        connection,
        tx -> {
          set(tx, "limited");
          TransactionSettings.set(tx, "SET @other = @setting", "SET @setting = @other");
          return tx;
        });

    assertThat(value(connection)).isEqualTo("free");
  }

  private static String set(Connection tx, String value) throws SQLException {
    TransactionSettings.set(tx, "SET @setting = '" + value + "'", "SET @setting = 'free'");
    return value(tx);
  }

  private static String value(Connection connection) {
    return JdbcTemplate.query(connection, "SELECT @setting", row -> row.getString(1)).get(0);
  }
}
