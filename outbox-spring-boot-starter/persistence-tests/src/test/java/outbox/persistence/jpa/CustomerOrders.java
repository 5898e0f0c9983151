package outbox.persistence.jpa;

import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface CustomerOrders extends JpaRepository<CustomerOrder, Integer> {

  @Query(value = "SELECT COUNT(*) FROM outbox_event", nativeQuery = true)
  long countEvents();
}
