/**
 * The outbox of a Spring Boot application: made from its DataSource and its properties {@code
 * outbox.*}, with {@link outbox.spring.boot.OutboxListener} for methods that receive events.
 */
@NullMarked
package outbox.spring.boot;

import org.jspecify.annotations.NullMarked;
