package outbox.spring.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import outbox.EventType;

/**
 * Has a method of a bean, or a bean that is an {@link outbox.EventListener}, receive each committed
 * event of these types at least once. Returning means delivered, throwing means try again later.
 *
 * <p>A method may take, in any order:
 *
 * <ul>
 *   <li>one payload: {@code String} and {@code byte[]} get it as it is, any other type is read from
 *       JSON by a {@link PayloadReader}, which is Jackson unless the application has another
 *   <li>the {@link outbox.EventEnvelope}
 *   <li>headers, by {@link OutboxHeader}
 * </ul>
 *
 * <p>It returns nothing, or a {@link java.util.concurrent.CompletionStage}: then the event is
 * delivered when that completes, and no thread waits for it. Like every listener it is called by
 * several threads at once and must be idempotent by event id.
 *
 * <pre>{@code
 * @OutboxListener("OrderPlaced")
 * void ship(OrderPlaced order) {
 *   ...
 * }
 * }</pre>
 *
 * <p>An annotation of your own that carries this one, and has a {@code value} of an enum that is an
 * {@link EventType}, lets the compiler check the types:
 *
 * <pre>{@code
 * @OutboxListener
 * @Retention(RetentionPolicy.RUNTIME)
 * @interface OnOrder {
 *   OrderEvents[] value();
 * }
 * }</pre>
 */
@Documented
@Repeatable(OutboxListeners.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface OutboxListener {

  /**
   * The event types; may contain placeholders such as <code>${orders.event}</code>. Default: that
   * of the payload, if its class carries {@link outbox.domain.OutboxEvent}.
   */
  String[] value() default {};

  /**
   * An enum that the types are constants of: a name that is none of them is refused at the start.
   * Without {@link #value}, all of its constants are meant.
   */
  Class<? extends EventType> enumType() default EventType.class;

  /** Only events of this aggregate type; default: those of whatever type that have no listener. */
  String aggregateType() default "";

  /**
   * Only events of the outbox of this name, one of {@code outbox.outboxes}; default: those of
   * whatever outbox that has no listener for them by name.
   */
  String outbox() default "";

  /** Relies on the order of each aggregate's events: refused at the start where it isn't kept. */
  boolean ordered() default false;
}
