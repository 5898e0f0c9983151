package outbox.persistence.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.persistence.PersistenceContract;

/** Aggregates that Spring Data saves through Hibernate. */
class JpaTest extends PersistenceContract {

  @Override
  protected Class<?> application() {
    return JpaApplication.class;
  }

  @Override
  protected String transactionManager() {
    return "JpaTransactionManager";
  }

  @Override
  protected boolean hasJpa() {
    return true;
  }

  @Test
  void theTransactionOfARepositoryIsEnough() {
    context().getBean(CustomerOrders.class).save(CustomerOrder.place(7));

    assertThat(orderIds()).containsExactly("7");
    assertThat(eventIds()).containsExactly("7");
  }

  @Test
  void eventsOfManyAggregatesAreWrittenInTheOrderOfSaving() {
    context()
        .getBean(CustomerOrders.class)
        .saveAll(List.of(CustomerOrder.place(3), CustomerOrder.place(1), CustomerOrder.place(2)));

    assertThat(eventIds()).containsExactly("3", "1", "2");
  }

  @Test
  void anEventMadeWhenItIsPublishedKnowsTheIdThatTheDatabaseMade() {
    Invoices invoices = context().getBean(Invoices.class);

    Invoice invoice = invoices.save(new Invoice());
    invoices.save(invoice);

    String id = invoice.id().toString();
    assertThat(eventIds()).containsExactly(id, id);
    assertThat(column("SELECT event_type FROM outbox_event ORDER BY seq"))
        .containsExactly("Issued", "Due");
  }

  @Test
  void whatHibernateHasNotInsertedYetIsCommittedWithItsEvent() {
    transaction()
        .executeWithoutResult(
            status -> {
              orders().place(1);
              JdbcTemplate sameConnection = context().getBean(JdbcTemplate.class);
              assertThat(count(sameConnection, "outbox_event")).isEqualTo(1);
              assertThat(count(sameConnection, "customer_order")).isZero();
            });

    assertThat(orderIds()).containsExactly("1");
    assertThat(eventIds()).containsExactly("1");
  }

  @Test
  void aReadOnlyTransactionIsRefused() {
    TransactionTemplate readOnly = transaction();
    readOnly.setReadOnly(true);

    assertThatThrownBy(() -> readOnly.executeWithoutResult(status -> orders().place(1)))
        .hasMessageContainingAll("OrderPlaced", "read-only");

    assertThat(eventIds()).isEmpty();
  }

  private static Long count(JdbcTemplate jdbc, String table) {
    return jdbc.queryForObject("SELECT COUNT(*) FROM " + table, Long.class);
  }
}
