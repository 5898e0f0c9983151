/** One command that measures the outbox on this machine. */
@NullMarked
package outbox.benchmarks;

import org.jspecify.annotations.NullMarked;
