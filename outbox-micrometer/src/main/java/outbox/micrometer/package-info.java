/** Micrometer meters for what an outbox counts and measures. */
@NullMarked
package outbox.micrometer;

import org.jspecify.annotations.NullMarked;
