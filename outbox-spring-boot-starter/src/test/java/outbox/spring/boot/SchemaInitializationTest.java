package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import outbox.jdbc.schema.OutboxSchema;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class SchemaInitializationTest {

  @Test
  void theTableIsCreatedWithoutBeingAskedFor() {
    try (Database database = Databases.postgres().fresh()) {
      Applications.on(database)
          .withBean(Orders.class)
          .run(context -> assertThat(context).hasNotFailed());
    }
  }

  @Test
  void onlyInMemoryIfAskedFor() {
    String embedded = "outbox.schema.initialize=embedded";
    try (Database database = Databases.postgres().fresh()) {
      ApplicationContextRunner elsewhere = Applications.on(database).withBean(Orders.class);

      elsewhere
          .withPropertyValues(embedded)
          .run(
              context ->
                  assertThat(Applications.refusal(context.getStartupFailure()).problem())
                      .contains("outbox_event does not exist"));
      Applications.listening()
          .withPropertyValues(embedded)
          .run(context -> assertThat(context).hasNotFailed());
    }
  }

  @Test
  void aTableThatIsThereNeedsNoRightToCreateOne() throws SQLException {
    String url = "jdbc:h2:mem:" + UUID.randomUUID();
    try (Connection owner = DriverManager.getConnection(url, "owner", "");
        Statement statement = owner.createStatement()) {
      OutboxSchema.of("h2").unordered().apply(owner);
      statement.execute("CREATE USER application PASSWORD 'secret'");
      statement.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON outbox_event TO application");

      Applications.withoutDataSource()
          .withBean(Orders.class)
          .withPropertyValues(
              "spring.datasource.url=" + url,
              "spring.datasource.username=application",
              "spring.datasource.password=secret")
          .run(
              context -> {
                assertThat(context).hasNotFailed();
                Applications.write(context, "OrderPlaced", "{\"orderId\":1}");
                Orders orders = context.getBean(Orders.class);
                Applications.until(() -> !orders.placed.isEmpty());
              });
    }
  }
}
