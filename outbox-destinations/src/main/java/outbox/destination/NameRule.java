package outbox.destination;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/**
 * Says where an event goes within its destination: the topic, the exchange, the routing key or the
 * URL. Safe for all threads.
 *
 * <p>As a template it is read and checked once: {@code "{aggregateType}.{eventType}"}, {@code
 * "orders.{tenant}"}, {@code "{header:topic|eventType}"}. In braces stand what to take, and after
 * each bar what to take if the event doesn't have it: {@code eventType}, {@code aggregateType},
 * {@code aggregateId}, {@code tenant}, {@code header:name}, or text in single quotes. What isn't a
 * template is a function:
 *
 * <pre>{@code
 * NameRule.of("orders.{tenant|'shared'}");
 * NameRule rule = event -> event.isBinary() ? "blobs" : "documents";
 * }</pre>
 */
@FunctionalInterface
public interface NameRule extends Function<EventEnvelope, @Nullable String> {

  /**
   * The name for this event, never empty. Destinations bury an event that it has none for, null.
   *
   * @throws outbox.NonRetryableException if the event doesn't have what the name is made of
   */
  String nameFor(EventEnvelope event);

  /** The same, for whoever takes any function. */
  @Override
  default String apply(EventEnvelope event) {
    return nameFor(event);
  }

  /**
   * A rule by a template.
   *
   * @throws IllegalArgumentException if it can't be read
   */
  static NameRule of(String template) {
    return of(template, UnaryOperator.identity());
  }

  /**
   * A rule by a template whose values are encoded, as those of a URL have to be: what an event says
   * must not add a slash, a host or a parameter.
   *
   * @param encoder applied to what events say, not to the text of the template
   */
  static NameRule of(String template, UnaryOperator<String> encoder) {
    return NameTemplate.parse(
        template, Objects.requireNonNull(encoder, "encoder must not be null"));
  }

  /**
   * The same rule, whose names must have the form {@code <module>.<aggregate>.<event>.vN}:
   * lower-case letters, digits and hyphens, fewer than 128 characters. An event whose name has not
   * is DEAD.
   *
   * @throws IllegalArgumentException if the rule always gives the same name, and that has not
   */
  default NameRule versioned() {
    return VersionedNames.checking(this);
  }
}
