package outbox.jdbc;

import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.jdbc.purge.H2EventPurger;
import outbox.jdbc.purge.MariaDbEventPurger;
import outbox.jdbc.purge.MySqlEventPurger;
import outbox.jdbc.purge.PostgresEventPurger;
import outbox.testing.databases.Databases;

@ParameterizedClass
@MethodSource("tables")
class SpecifiedTableTest extends SpecifiedTableContract {

  @Parameter Table table;

  static Stream<Table> tables() {
    return Stream.of(
        new Table(Databases.h2(), new H2EventPurger(), "CLOB", "TIMESTAMP(6)"),
        new Table(Databases.h2(), new H2EventPurger(), "JSON", "TIMESTAMP(6)"),
        new Table(Databases.h2MySqlMode(), new H2EventPurger(), "CLOB", "DATETIME(6)"),
        new Table(Databases.h2MySqlMode(), new H2EventPurger(), "JSON", "DATETIME(6)"),
        new Table(Databases.postgres(), new PostgresEventPurger(), "JSON", "TIMESTAMPTZ(6)"),
        new Table(Databases.postgres(), new PostgresEventPurger(), "JSONB", "TIMESTAMP(6)"),
        new Table(Databases.postgres(), new PostgresEventPurger(), "TEXT", "TIMESTAMPTZ"),
        new Table(Databases.mariaDb(), new MariaDbEventPurger(), "JSON", "DATETIME(6)"),
        new Table(
            Databases.mariaDbViaMySqlDriver(), new MySqlEventPurger(), "JSON", "DATETIME(6)"));
  }

  @Override
  Table table() {
    return table;
  }
}
