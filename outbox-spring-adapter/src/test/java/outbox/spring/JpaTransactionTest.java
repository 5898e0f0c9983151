package outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionTemplate;

class JpaTransactionTest {

  private final TestDatabase database = new TestDatabase();
  private final TestDatabase other = new TestDatabase();
  private final SpringTxContext context = new SpringTxContext(database.dataSource());
  private final LocalContainerEntityManagerFactoryBean hibernate = hibernate();
  private final EntityManagerFactory entityManagers = Objects.requireNonNull(hibernate.getObject());
  private final TransactionTemplate transaction =
      new TransactionTemplate(new JpaTransactionManager(entityManagers));
  private final List<String> calls = new ArrayList<>();

  @AfterEach
  void close() {
    hibernate.destroy();
    database.close();
    other.close();
  }

  @Test
  void entitiesAndWritesCommitTogether() {
    transaction.executeWithoutResult(
        status -> {
          persist("by Hibernate");
          TestDatabase.insertNote(context.currentConnection(), "by JDBC");
          context.afterCommit(() -> calls.add("committed"));
        });

    assertThat(database.committedNotes()).containsExactly("by Hibernate", "by JDBC");
    assertThat(calls).containsExactly("committed");
  }

  @Test
  void entitiesAndWritesRollBackTogether() {
    transaction.executeWithoutResult(
        status -> {
          persist("by Hibernate");
          TestDatabase.insertNote(context.currentConnection(), "by JDBC");
          context.afterRollback(() -> calls.add("rolled back"));
          status.setRollbackOnly();
        });

    assertThat(database.committedNotes()).isEmpty();
    assertThat(calls).containsExactly("rolled back");
  }

  @Test
  void refusesToWriteToAnotherDataSource() {
    SpringTxContext otherContext = new SpringTxContext(other.dataSource());

    transaction.executeWithoutResult(
        status -> {
          new JdbcTemplate(other.dataSource()).update("INSERT INTO note VALUES ('stray')");

          assertThat(otherContext.isTransactionActive()).isFalse();
          assertThatIllegalStateException()
              .isThrownBy(otherContext::currentConnection)
              .withMessageContaining("transaction manager of that DataSource");
        });
  }

  private void persist(String text) {
    EntityManager entityManager =
        Objects.requireNonNull(
            EntityManagerFactoryUtils.getTransactionalEntityManager(entityManagers));
    entityManager.persist(new Note(text));
  }

  private LocalContainerEntityManagerFactoryBean hibernate() {
    LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
    factory.setDataSource(database.dataSource());
    factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    factory.setManagedTypes(PersistenceManagedTypes.of(Note.class.getName()));
    factory.afterPropertiesSet();
    return factory;
  }

  @Entity
  @Table(name = "note")
  static class Note {

    @Id private String text = "";

    Note() {}

    Note(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }
}
