package outbox.destination;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The method handles events of these types; see {@link EventHandlers.Builder#annotated}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Handles {

  /** Event types, one at least. */
  String[] value();
}
