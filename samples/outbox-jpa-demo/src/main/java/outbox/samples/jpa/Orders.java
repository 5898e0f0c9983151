package outbox.samples.jpa;

import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface Orders extends JpaRepository<Order, UUID> {}
