package outbox.domain;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Domain events of this class, and of all that extend or implement it, go to the outbox: in the
 * transaction that they happen in, and with it or not at all.
 *
 * <pre>{@code
 * @OutboxEvent(aggregateType = "Order", aggregateId = "orderId")
 * record OrderPlaced(long orderId, BigDecimal total) {}
 * }</pre>
 *
 * <p>{@link #aggregateId}, {@link #tenantId} and the like name a <em>member</em> of the event: a
 * record component, a method without parameters, a property ({@code orderId} finds {@code
 * getOrderId()}) or a field, whatever its visibility. A dot leads further: {@code orderId.value}.
 * What a member holds must be a simple value, such as text, a number, an enum constant or a UUID.
 *
 * <p>The nearest annotation counts: the one of the class itself, or the only one above it. An
 * annotation of your own that carries this one counts as well. Two classes can't have the same
 * event type, unless both inherit the annotation that names it.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OutboxEvent {

  /** The event type; default: the class's simple name, such as {@code OrderPlaced}. */
  String value() default "";

  /** The aggregate type itself, such as {@code Order}; default: none. */
  String aggregateType() default "";

  /** The member that holds the aggregate's id, which must not be null; default: none. */
  String aggregateId() default "";

  /** The member that holds the tenant's id, which may be null; default: none. */
  String tenantId() default "";

  /** The member that holds the event's own id, at most 36 characters; default: a new one. */
  String eventId() default "";

  /** The member that holds the {@link java.time.Instant} it happened; default: now. */
  String occurredAt() default "";

  /**
   * The members that are headers: {@code locale} is a header of that name, {@code correlation-id =
   * requestId} one of another. A member that is null is no header.
   */
  String[] headers() default {};
}
