/** Changes the engine for the worse while a node runs, to see whether anybody notices. */
@NullMarked
package outbox.faults.mutant;

import org.jspecify.annotations.NullMarked;
