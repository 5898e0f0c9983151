package outbox.persistence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** What is inserted and what is published are committed together, on PostgreSQL. */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class PersistenceContract {

  /** Where Spring Boot 3.5 and 4 have what makes an application one with JPA. */
  private static final List<String> JPA =
      List.of(
          "org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration",
          "org.springframework.boot.autoconfigure.data.jpa.JpaRepositoriesAutoConfiguration",
          "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
          "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration");

  private final Database database = Databases.postgres().fresh();
  private ConfigurableApplicationContext context;

  /** Has an {@link Orders} bean. */
  protected abstract Class<?> application();

  /** The simple name of the transaction manager that the application is to have. */
  protected abstract String transactionManager();

  protected boolean hasJpa() {
    return false;
  }

  @BeforeAll
  void start() {
    JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());
    jdbc.execute("CREATE TABLE customer_order (id INT PRIMARY KEY)");
    jdbc.execute("CREATE TABLE invoice (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY)");
    List<String> arguments = new ArrayList<>();
    arguments.add("--spring.datasource.url=" + database.url());
    arguments.add("--spring.main.web-application-type=none");
    arguments.add("--spring.main.banner-mode=off");
    if (!hasJpa()) {
      arguments.add("--spring.autoconfigure.exclude=" + String.join(",", JPA));
    }
    context =
        SpringApplication.run(
            new Class<?>[] {application(), Shipping.class}, arguments.toArray(String[]::new));
  }

  @AfterAll
  void stop() {
    if (context != null) {
      context.close();
    }
    database.close();
  }

  @BeforeEach
  void empty() {
    new JdbcTemplate(database.dataSource()).execute("TRUNCATE customer_order, outbox_event");
  }

  @Test
  void runsOnWhatItIsMeantToRunOn() {
    assertThat(SpringBootVersion.getVersion())
        .startsWith(System.getProperty("outbox.test.spring-boot", "3.5") + ".");
    assertThat(context.getBean(PlatformTransactionManager.class).getClass().getSimpleName())
        .isEqualTo(transactionManager());
  }

  @Test
  void anOrderAndItsEventAreCommittedTogether() {
    orders().place(42);

    assertThat(orderIds()).containsExactly("42");
    assertThat(eventIds()).containsExactly("42");
    Shipping shipping = context.getBean(Shipping.class);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> shipping.shipped().contains(new OrderPlaced(42)));
  }

  @Test
  void bothAreRolledBackTogether() {
    assertThatThrownBy(() -> orders().placeAndFail(1)).isInstanceOf(IllegalStateException.class);

    assertThat(orderIds()).isEmpty();
    assertThat(eventIds()).isEmpty();
  }

  @Test
  void anOrderThatTheDatabaseRefusesLeavesNoEvent() {
    orders().place(1);

    assertThatThrownBy(() -> orders().place(1)).isInstanceOf(RuntimeException.class);

    assertThat(eventIds()).containsExactly("1");
  }

  @Test
  void bothAreOnOneConnection() {
    assertThat(orders().placeAndCountEvents(1)).isEqualTo(1);
  }

  @Test
  void aTransactionOfItsOwnKeepsItsOrderAndItsEvent() {
    TransactionTemplate outer = transaction();
    TransactionTemplate inner = transaction();
    inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);

    outer.executeWithoutResult(
        status -> {
          orders().place(1);
          inner.executeWithoutResult(ignored -> orders().place(2));
          status.setRollbackOnly();
        });

    assertThat(orderIds()).containsExactly("2");
    assertThat(eventIds()).containsExactly("2");
  }

  protected ConfigurableApplicationContext context() {
    return context;
  }

  protected Orders orders() {
    return context.getBean(Orders.class);
  }

  protected TransactionTemplate transaction() {
    return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
  }

  protected List<String> orderIds() {
    return column("SELECT id FROM customer_order ORDER BY id");
  }

  /** The aggregates of all events, in the order of writing. */
  protected List<String> eventIds() {
    return column("SELECT aggregate_id FROM outbox_event ORDER BY seq");
  }

  protected List<String> column(String sql) {
    return new JdbcTemplate(database.dataSource()).queryForList(sql, String.class);
  }
}
