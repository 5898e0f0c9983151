package outbox.spring.boot;

import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.function.SingletonSupplier;
import outbox.domain.EventMapper;
import outbox.domain.OutboxEvent;

/**
 * Writes published events to the outbox of the transaction that they are published in, at once: in
 * the order of publication, under the savepoint that is set, and whoever publishes learns what is
 * wrong.
 */
final class DomainEventListener implements GenericApplicationListener {

  static final String BEAN = "outboxDomainEventListener";

  private final boolean hasListeningParent;
  private final SingletonSupplier<List<EventMapper>> mappers;
  private final TransactionOutbox outbox;

  /** Asks for mappers with the first event: Spring makes its listeners before all other beans. */
  DomainEventListener(
      ApplicationContext context, ObjectProvider<EventMapper> mappers, TransactionOutbox outbox) {
    ApplicationContext parent = context.getParent();
    this.hasListeningParent = parent != null && parent.containsBean(BEAN);
    this.mappers = SingletonSupplier.of(() -> mappers.orderedStream().toList());
    this.outbox = outbox;
  }

  @Override
  public boolean supportsEventType(ResolvableType eventType) {
    Class<?> type = eventType.toClass();
    return PayloadApplicationEvent.class.isAssignableFrom(type)
        || MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(OutboxEvent.class);
  }

  /** Before other listeners: what they publish in turn comes later. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  /** On the thread that publishes, whatever the application's multicaster does with others. */
  @Override
  public boolean supportsAsyncExecution() {
    return false;
  }

  @Override
  public void onApplicationEvent(ApplicationEvent event) {
    if (!(event instanceof PayloadApplicationEvent<?> published)) {
      throw new IllegalStateException(
          "%s carries @OutboxEvent but is an ApplicationEvent, whose source can't be written as JSON; let it extend nothing and publish it as it is"
              .formatted(event.getClass().getName()));
    }
    Object payload = published.getPayload();
    for (EventMapper mapper : mappers.obtain()) {
      if (mapper.supports(payload)) {
        write(payload, mapper);
        return;
      }
    }
  }

  private void write(Object event, EventMapper mapper) {
    if (isWrittenByChild(event)) {
      return;
    }
    outbox.write(event, mapper);
    if (hasListeningParent) {
      TransactionSynchronizationManager.registerSynchronization(new Written(event, this));
    }
  }

  /** Spring passes each event on to the parents of the context that published it. */
  private boolean isWrittenByChild(Object event) {
    return TransactionSynchronizationManager.isSynchronizationActive()
        && TransactionSynchronizationManager.getSynchronizations().stream()
            .anyMatch(
                each ->
                    each instanceof Written written
                        && written.event() == event
                        && written.by() != this);
  }

  /** Tells listeners of parent contexts, as long as the transaction lasts. */
  private record Written(Object event, DomainEventListener by)
      implements TransactionSynchronization {}
}
