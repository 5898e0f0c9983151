package outbox.spring.boot;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import outbox.EventType;
import outbox.domain.EventClasses;
import outbox.domain.OutboxEvent;
import outbox.spring.boot.Routes.Route;

/** What one {@link OutboxListener} asks for. */
record Subscription(List<Route> routes, @Nullable String outbox, boolean ordered) {

  /**
   * All of a method or class; those of what it overrides count if it has none itself.
   *
   * @throws IllegalArgumentException if one makes no sense; says why
   */
  static List<Subscription> of(
      AnnotatedElement element, EventClasses events, UnaryOperator<String> placeholders) {
    List<MergedAnnotation<OutboxListener>> all =
        MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).stream(OutboxListener.class)
            .toList();
    int nearest = all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(0);
    return all.stream()
        .filter(annotation -> annotation.getAggregateIndex() == nearest)
        .map(annotation -> of(annotation, typesOfPayload(element, events), placeholders))
        .toList();
  }

  private static Subscription of(
      MergedAnnotation<OutboxListener> annotation,
      List<String> typesOfPayload,
      UnaryOperator<String> placeholders) {
    List<String> types = new ArrayList<>();
    for (String type : annotation.getStringArray("value")) {
      types.add(placeholders.apply(type));
    }
    types.addAll(typesOfComposed(annotation));
    Class<?> enumType = annotation.getClass("enumType");
    if (enumType != EventType.class) {
      types = constants(enumType, types);
    }
    if (types.isEmpty()) {
      types = typesOfPayload;
    }
    if (types.isEmpty() || types.contains("")) {
      throw new IllegalArgumentException(
          "it names no event type, and takes no event whose class carries @OutboxEvent");
    }
    @Nullable String outbox = said(annotation, "outbox", placeholders);
    @Nullable String aggregateType = said(annotation, "aggregateType", placeholders);
    return new Subscription(
        types.stream().map(type -> new Route(outbox, aggregateType, type)).toList(),
        outbox,
        annotation.getBoolean("ordered"));
  }

  /** Null if nothing is. */
  private static @Nullable String said(
      MergedAnnotation<OutboxListener> annotation,
      String attribute,
      UnaryOperator<String> placeholders) {
    String text = placeholders.apply(annotation.getString(attribute));
    return text.isEmpty() ? null : text;
  }

  /** Of the event that a method takes, if that carries {@link OutboxEvent}. */
  private static List<String> typesOfPayload(AnnotatedElement element, EventClasses events) {
    Class<?>[] parameters =
        element instanceof Method method ? method.getParameterTypes() : new Class<?>[0];
    return Arrays.stream(parameters)
        .filter(each -> !Modifier.isAbstract(each.getModifiers()))
        .filter(events::contain)
        .map(events::eventType)
        .toList();
  }

  /** Those that an annotation of the application's own has as its value. */
  private static List<String> typesOfComposed(MergedAnnotation<OutboxListener> annotation) {
    MergedAnnotation<?> root = annotation.getRoot();
    Object value =
        annotation.getDistance() == 0 ? null : root.asAnnotationAttributes().get("value");
    Object[] values = value instanceof Object[] array ? array : new Object[] {value};
    return Arrays.stream(values)
        .filter(each -> each instanceof Enum<?> && each instanceof EventType)
        .map(each -> ((EventType) each).name())
        .toList();
  }

  private static List<String> constants(Class<?> enumType, List<String> names) {
    Object @Nullable [] constants = enumType.getEnumConstants();
    if (constants == null) {
      throw new IllegalArgumentException("enumType must be an enum, got: " + enumType.getName());
    }
    List<String> known = Arrays.stream(constants).map(each -> ((EventType) each).name()).toList();
    names.stream()
        .filter(name -> !known.contains(name))
        .findFirst()
        .ifPresent(
            name -> {
              throw new IllegalArgumentException(
                  "%s is no constant of %s, which has %s"
                      .formatted(name, enumType.getName(), known));
            });
    return names.isEmpty() ? known : names;
  }
}
