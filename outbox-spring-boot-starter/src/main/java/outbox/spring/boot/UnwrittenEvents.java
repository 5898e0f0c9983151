package outbox.spring.boot;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import outbox.domain.OutboxEvent;

/** Says of events for the outbox, once per class, that nobody writes them. */
final class UnwrittenEvents implements ApplicationListener<PayloadApplicationEvent<?>> {

  private static final Logger LOG = System.getLogger(UnwrittenEvents.class.getName());

  private final Set<Class<?>> seen = ConcurrentHashMap.newKeySet();

  @Override
  public void onApplicationEvent(PayloadApplicationEvent<?> event) {
    Class<?> type = event.getPayload().getClass();
    if (seen.add(type) && isForTheOutbox(type)) {
      LOG.log(
          Level.WARNING,
          "%s carries @OutboxEvent and was published, but is not written: outbox.enabled=false. So are all others of this class; remove the property to have them written"
              .formatted(type.getName()));
    }
  }

  private static boolean isForTheOutbox(Class<?> type) {
    return MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(OutboxEvent.class);
  }
}
