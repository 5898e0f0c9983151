/** Aggregates whose events go to the outbox when they are saved. */
@NullMarked
package outbox.samples.jpa;

import org.jspecify.annotations.NullMarked;
