package outbox.persistence.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import java.util.List;
import org.springframework.data.domain.AfterDomainEventPublication;
import org.springframework.data.domain.DomainEvents;
import outbox.domain.OutboxEvent;

/** An aggregate without a base class, whose id the database makes. */
@Entity
class Invoice {

  @OutboxEvent(aggregateType = "Invoice", aggregateId = "invoiceId")
  record Issued(Long invoiceId) {}

  @OutboxEvent(aggregateType = "Invoice", aggregateId = "invoiceId")
  record Due(Long invoiceId) {}

  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private Long id;

  private transient boolean isPublished;

  Long id() {
    return id;
  }

  /** Called once it is saved, and so with its id. */
  @DomainEvents
  List<Object> events() {
    return isPublished ? List.of() : List.of(new Issued(id), new Due(id));
  }

  @AfterDomainEventPublication
  void published() {
    isPublished = true;
  }
}
