package outbox.jdbc.internal;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;

/**
 * Finds out whether somebody's subclass overrides one of several methods, and so wants to be asked
 * where a faster way would pass it by.
 */
public final class Overrides {

  private Overrides() {}

  /** Whether a class of it below {@code ours} declares a method with one of these names. */
  public static boolean any(Object it, Class<?> ours, String... methods) {
    Set<String> names = Set.of(methods);
    for (Class<?> c = it.getClass(); c != null && c != ours; c = c.getSuperclass()) {
      if (Arrays.stream(c.getDeclaredMethods()).map(Method::getName).anyMatch(names::contains)) {
        return true;
      }
    }
    return false;
  }
}
