package outbox.domain;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import outbox.OutboxException;
import outbox.util.Nullable;

/** What an event has under a name, such as {@code orderId} or {@code orderId.value}. */
final class Member {

  private final String name;
  private final List<AccessibleObject> steps;

  private Member(String name, List<AccessibleObject> steps) {
    this.name = name;
    this.steps = steps;
  }

  /**
   * @param role what it is for
   * @throws IllegalArgumentException if there is no such member
   */
  static Member of(Class<?> type, String role, String path) {
    List<AccessibleObject> steps = new ArrayList<>();
    Class<?> from = type;
    for (String name : path.split("\\.", -1)) {
      AccessibleObject step = find(from, name);
      if (step == null) {
        throw new IllegalArgumentException(
            "%s of @OutboxEvent for %s must be one of its members, got: %s; %s has neither a method nor a property nor a field %s"
                .formatted(role, type.getName(), path, from.getName(), name));
      }
      steps.add(opened(step, from));
      from = step instanceof Method method ? method.getReturnType() : ((Field) step).getType();
    }
    return new Member("%s (%s) of %s".formatted(role, path, type.getName()), steps);
  }

  /** Null if there is nothing under the name. */
  @Nullable
  String text(Object event) {
    Object value = value(event);
    if (value == null) {
      return null;
    }
    if (!isSimple(value)) {
      throw new IllegalArgumentException(
          "%s must be a simple value, got: a %s; name the member of it that is one, as in orderId.value"
              .formatted(name, value.getClass().getName()));
    }
    return value instanceof Enum<?> constant ? constant.name() : value.toString();
  }

  String requireText(Object event) {
    String text = text(event);
    if (text == null) {
      throw new IllegalArgumentException(name + " must not be null");
    }
    return text;
  }

  <T> T require(Object event, Class<T> type) {
    Object value = value(event);
    if (!type.isInstance(value)) {
      throw new IllegalArgumentException(
          "%s must be of %s, got: %s"
              .formatted(
                  name,
                  type.getName(),
                  value == null ? "null" : "a " + value.getClass().getName()));
    }
    return type.cast(value);
  }

  private @Nullable Object value(Object event) {
    Object value = event;
    for (AccessibleObject step : steps) {
      if (value == null) {
        return null;
      }
      value = read(step, value);
    }
    return value;
  }

  private @Nullable Object read(AccessibleObject step, Object from) {
    try {
      return step instanceof Method method ? method.invoke(from) : ((Field) step).get(from);
    } catch (InvocationTargetException e) {
      throw new OutboxException(name + " could not be read: it threw", e.getCause());
    } catch (IllegalAccessException e) {
      throw new OutboxException(name + " could not be read", e);
    }
  }

  /** What has one text that means it; the text of others, records above all, is for people. */
  private static boolean isSimple(Object value) {
    return value instanceof CharSequence
        || value instanceof Number
        || value instanceof Enum<?>
        || value instanceof UUID
        || value instanceof Boolean
        || value instanceof Character
        || value instanceof TemporalAccessor;
  }

  private static @Nullable AccessibleObject find(Class<?> type, String name) {
    if (name.isEmpty()) {
      return null;
    }
    String capitalized = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    for (String method : List.of(name, "get" + capitalized, "is" + capitalized)) {
      Method found = method(type, method);
      if (found != null) {
        return found;
      }
    }
    return field(type, name);
  }

  private static @Nullable Method method(Class<?> type, String name) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      Method found = getter(each.getDeclaredMethods(), name);
      if (found != null) {
        return found;
      }
    }
    return getter(type.getMethods(), name); // those of interfaces
  }

  private static @Nullable Method getter(Method[] methods, String name) {
    for (Method method : methods) {
      if (method.getName().equals(name)
          && method.getParameterCount() == 0
          && method.getReturnType() != void.class
          && !method.isBridge()) {
        return method;
      }
    }
    return null;
  }

  private static @Nullable Field field(Class<?> type, String name) {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          return field;
        }
      }
    }
    return null;
  }

  private static AccessibleObject opened(AccessibleObject step, Class<?> type) {
    if (!step.trySetAccessible()) {
      throw new IllegalArgumentException(
          "%s is not accessible; have module %s open package %s to outbox.core"
              .formatted(step, type.getModule().getName(), type.getPackageName()));
    }
    return step;
  }
}
