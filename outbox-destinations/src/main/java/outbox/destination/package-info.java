/**
 * What destinations share: their contract, a guard with circuit breaker, pause and limits, routing
 * and fan-out.
 */
@NullMarked
package outbox.destination;

import org.jspecify.annotations.NullMarked;
