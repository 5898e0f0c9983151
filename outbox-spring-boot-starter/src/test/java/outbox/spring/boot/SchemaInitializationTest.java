package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

  /** Its schema is one of the things that the application creates. */
  @Test
  void theTableIsCreatedAfterWhatTheApplicationCreates() {
    Applications.listening()
        .withPropertyValues(
            "spring.sql.init.schema-locations=classpath:outbox/spring/boot/billing.sql",
            "outbox.table=billing.outbox_event")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              Applications.write(context, "OrderPlaced", "{\"orderId\":1}");
              Orders orders = context.getBean(Orders.class);
              Applications.until(() -> !orders.placed.isEmpty());
            });
  }

  private interface Rights {
    void use(ApplicationContextRunner application, Statement owner) throws SQLException;
  }

  /** An application whose database user has no more rights than every other. */
  private static void asAnybody(Rights test) throws SQLException {
    String role = "anybody_" + UUID.randomUUID().toString().replace("-", "");
    try (Database database = Databases.postgres().fresh();
        Connection connection = database.dataSource().getConnection();
        Statement owner = connection.createStatement()) {
      owner.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
      owner.execute("CREATE ROLE " + role);
      try {
        test.use(
            Applications.on(database)
                .withBean(Orders.class)
                .withPropertyValues(
                    "spring.datasource.hikari.connection-init-sql=SET ROLE " + role),
            owner);
      } finally {
        owner.execute("DROP ROLE " + role);
      }
    }
  }

  private static RefusedException refused(ApplicationContextRunner application) {
    AtomicReference<RefusedException> refused = new AtomicReference<>();
    application.run(context -> refused.set(Applications.refusal(context.getStartupFailure())));
    return refused.get();
  }

  @Test
  void whoMayNotCreateTheTableIsToldHowElseItGetsThere() throws SQLException {
    asAnybody(
        (application, owner) -> {
          RefusedException refused = refused(application);

          assertThat(refused.problem()).contains("outbox_event", "may not create it");
          assertThat(refused.remedy())
              .contains("schema/postgresql.sql", "outbox.schema.initialize=never");
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"H2", "PostgreSQL"})
  void aSchemaThatIsNotThereIsNamed(String name) {
    try (Database database = (name.equals("H2") ? Databases.h2() : Databases.postgres()).fresh()) {
      RefusedException refused =
          refused(
              Applications.on(database)
                  .withBean(Orders.class)
                  .withPropertyValues("outbox.table=billing.outbox_event"));

      assertThat(refused.problem()).contains("schema billing", "does not exist");
      assertThat(refused.remedy())
          .contains("CREATE SCHEMA billing")
          .doesNotContain("initialize=always");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"always", "never"})
  void aTableThatMayNotBeReadIsNotTakenForAMissingOne(String initialize) throws SQLException {
    asAnybody(
        (application, owner) -> {
          OutboxSchema.of("postgresql").unordered().apply(owner.getConnection());

          RefusedException refused =
              refused(application.withPropertyValues("outbox.schema.initialize=" + initialize));

          assertThat(refused.problem()).contains("may not read the outbox table outbox_event");
          assertThat(refused.remedy())
              .contains("GRANT SELECT, INSERT, UPDATE, DELETE ON outbox_event");
        });
  }

  @Test
  void aTableOfAnotherKindIsNotTakenForAMissingOne() throws SQLException {
    try (Database database = Databases.h2().fresh();
        Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE outbox_event (id INT)");

      RefusedException refused = refused(Applications.on(database).withBean(Orders.class));

      assertThat(refused.problem()).contains("no column event_id");
      assertThat(refused.remedy()).contains("outbox.table", "schema/h2.sql");
    }
  }

  @Test
  void aTableThatIsThereGetsNoIndexAtTheStart() {
    try (Database database = Databases.postgres().fresh()) {
      OutboxSchema unordered = OutboxSchema.of("postgresql").unordered();
      unordered.apply(database.dataSource());
      ApplicationContextRunner ordered =
          Applications.on(database)
              .withBean(Orders.class)
              .withPropertyValues("outbox.mode=ordered");

      RefusedException refused = refused(ordered);
      assertThat(refused.problem()).contains("outbox.mode=ordered", "index on (seq)");
      assertThat(refused.remedy()).contains("schema/postgresql-ordered.sql", "CONCURRENTLY");

      OutboxSchema.of("postgresql").apply(database.dataSource());
      ordered.run(context -> assertThat(context).hasNotFailed());
    }
  }

  @Test
  void whatIsMissingBesideATableThatIsThereIsCreatedWhereThatBuildsNoIndex() {
    try (Database database = Databases.mariaDb().fresh()) {
      OutboxSchema.of("mariadb").unordered().apply(database.dataSource());

      Applications.on(database)
          .withBean(Orders.class)
          .withPropertyValues("outbox.mode=ordered")
          .run(context -> assertThat(context).hasNotFailed());
    }
  }
}
