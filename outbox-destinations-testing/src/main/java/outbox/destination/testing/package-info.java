/** The contract suite that every destination runs, and a destination in memory. */
@NullMarked
package outbox.destination.testing;

import org.jspecify.annotations.NullMarked;
