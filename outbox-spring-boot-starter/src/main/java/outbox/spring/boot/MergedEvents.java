package outbox.spring.boot;

import java.util.Optional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import outbox.domain.EventClasses;
import outbox.domain.OutboxEvent;

/** Reads {@link OutboxEvent}s as Spring reads annotations: composed ones, with their aliases. */
final class MergedEvents {

  private MergedEvents() {}

  static EventClasses classes() {
    return EventClasses.by(MergedEvents::declared);
  }

  private static Optional<OutboxEvent> declared(Class<?> type) {
    return MergedAnnotations.from(type, SearchStrategy.DIRECT)
        .get(OutboxEvent.class)
        .synthesize(MergedAnnotation::isPresent);
  }
}
