package outbox.domain;

import java.lang.annotation.Annotation;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What the {@link OutboxEvent}s of classes say, found out once for each. Of two classes with the
 * same event type the one that is asked for later is refused, unless both inherit the one
 * annotation that names it. Safe for all threads.
 */
public final class EventClasses {

  private final Function<Class<?>, Optional<OutboxEvent>> declared;
  private final Map<String, EventClass> byEventType = new ConcurrentHashMap<>();

  private final ClassValue<Map<Class<?>, OutboxEvent>> annotations =
      new ClassValue<>() {
        @Override
        protected Map<Class<?>, OutboxEvent> computeValue(Class<?> type) {
          return nearest(type);
        }
      };

  private final ClassValue<EventClass> known =
      new ClassValue<>() {
        @Override
        protected EventClass computeValue(Class<?> type) {
          return onlyOneOfItsType(EventClass.of(type, annotations.get(type)));
        }
      };

  private EventClasses(Function<Class<?>, Optional<OutboxEvent>> declared) {
    this.declared = Objects.requireNonNull(declared, "declared must not be null");
  }

  /** By the annotation on a class, or on another annotation that the class carries. */
  public static EventClasses annotated() {
    return new EventClasses(EventClasses::carried);
  }

  /**
   * By a lookup that knows more of annotations, such as a framework that merges them.
   *
   * @param declared the annotation of a class or interface itself, whatever it inherits
   */
  public static EventClasses by(Function<Class<?>, Optional<OutboxEvent>> declared) {
    return new EventClasses(declared);
  }

  /** Whether events of this class go to the outbox. */
  public boolean contain(Class<?> eventClass) {
    return !annotations.get(eventClass).isEmpty();
  }

  /**
   * The event type of events of this class, which also shows that its {@link OutboxEvent} can work.
   *
   * @throws IllegalArgumentException if the class carries none, or one that can't work, or another
   *     class has the same event type; says which
   */
  public String eventType(Class<?> eventClass) {
    return of(eventClass).eventType();
  }

  EventClass of(Class<?> type) {
    return known.get(type);
  }

  private EventClass onlyOneOfItsType(EventClass found) {
    EventClass other = byEventType.putIfAbsent(found.eventType(), found);
    if (other != null && !other.sharesTypeWith(found)) {
      throw new IllegalArgumentException(
          "%s and %s have the same event type, %s, so that no listener could tell them apart; name another one for one of them, as in @OutboxEvent(\"order.placed\")"
              .formatted(other.name(), found.name(), found.eventType()));
    }
    return found;
  }

  /** By the class or interface that carries it. */
  private Map<Class<?>, OutboxEvent> nearest(Class<?> type) {
    Optional<OutboxEvent> own = declared.apply(type);
    if (own.isPresent()) {
      return Map.of(type, own.get());
    }
    Map<Class<?>, OutboxEvent> inherited = new LinkedHashMap<>();
    if (type.getSuperclass() != null) {
      inherited.putAll(nearest(type.getSuperclass()));
    }
    for (Class<?> each : type.getInterfaces()) {
      inherited.putAll(nearest(each));
    }
    return inherited;
  }

  private static Optional<OutboxEvent> carried(Class<?> type) {
    return carried(type, new HashSet<>());
  }

  /** Annotations may carry each other. */
  private static Optional<OutboxEvent> carried(Class<?> type, Set<Class<?>> seen) {
    OutboxEvent own = type.getDeclaredAnnotation(OutboxEvent.class);
    if (own != null) {
      return Optional.of(own);
    }
    for (Annotation each : type.getDeclaredAnnotations()) {
      Class<?> composed = each.annotationType();
      Optional<OutboxEvent> found = seen.add(composed) ? carried(composed, seen) : Optional.empty();
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
