package outbox.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a parameter of an {@link OutboxListener} method the value of one header, as a {@code
 * String} that is null where the event has no such header; or, without a name, all headers as a
 * {@code Map<String, String>}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface OutboxHeader {

  /** The header's name, compared as it is written; default: all headers. */
  String value() default "";
}
