package outbox.destination;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import outbox.EventEnvelope;
import outbox.EventListener;

/** Finds the methods of an object that handle events, and refuses those that can't. */
final class AnnotatedHandlers {

  record Found(String eventType, String name, EventListener handler) {}

  private AnnotatedHandlers() {}

  static List<Found> of(Object object) {
    Objects.requireNonNull(object, "object must not be null");
    List<Found> found = new ArrayList<>();
    for (Method method : annotated(object.getClass())) {
      add(object, method, found);
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "object must be one that has methods with @Handles, got: " + object.getClass().getName());
    }
    return found;
  }

  /** Each once: neither what another one overrides nor what the compiler puts beside it. */
  private static List<Method> annotated(Class<?> ofObject) {
    List<Method> seen = new ArrayList<>();
    for (Class<?> type = ofObject; type != Object.class; type = superclass(type)) {
      List<Method> below = List.copyOf(seen);
      Arrays.stream(type.getDeclaredMethods())
          .filter(method -> method.isAnnotationPresent(Handles.class))
          .filter(method -> below.stream().noneMatch(other -> overrides(other, method)))
          .sorted(Comparator.comparing(Method::getName))
          .forEach(seen::add);
    }
    return seen.stream().filter(method -> !method.isSynthetic()).toList();
  }

  private static boolean overrides(Method below, Method above) {
    boolean isSeen =
        Modifier.isPublic(above.getModifiers())
            || Modifier.isProtected(above.getModifiers())
            || (!Modifier.isPrivate(above.getModifiers())
                && below
                    .getDeclaringClass()
                    .getPackageName()
                    .equals(above.getDeclaringClass().getPackageName()));
    return isSeen
        && !Modifier.isStatic(above.getModifiers())
        && !Modifier.isPrivate(below.getModifiers())
        && below.getName().equals(above.getName())
        && Arrays.equals(below.getParameterTypes(), above.getParameterTypes());
  }

  private static Class<?> superclass(Class<?> type) {
    return Objects.requireNonNullElse(type.getSuperclass(), Object.class);
  }

  private static void add(Object object, Method method, List<Found> found) {
    String name = method.getDeclaringClass().getSimpleName() + '.' + method.getName();
    String[] eventTypes = Objects.requireNonNull(method.getAnnotation(Handles.class)).value();
    boolean isUsable =
        eventTypes.length > 0
            && method.getReturnType() == void.class
            && !Modifier.isStatic(method.getModifiers())
            && Arrays.equals(method.getParameterTypes(), new Class<?>[] {EventEnvelope.class});
    if (!isUsable) {
      throw new IllegalArgumentException(
          "method with @Handles must be of an object, of one event type at least, take an"
              + " EventEnvelope and return nothing, got: "
              + method.toGenericString());
    }
    method.setAccessible(true);
    EventListener handler = event -> call(object, method, event);
    for (String eventType : eventTypes) {
      found.add(new Found(eventType, name, handler));
    }
  }

  private static void call(Object object, Method method, EventEnvelope event) throws Exception {
    try {
      method.invoke(object, event);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof Error error) {
        throw error;
      }
      throw cause instanceof Exception exception ? exception : e;
    }
  }
}
