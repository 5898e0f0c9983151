/** The measurements, one class each, and the workshop they share. */
@NullMarked
package outbox.benchmarks.measurement;

import org.jspecify.annotations.NullMarked;
