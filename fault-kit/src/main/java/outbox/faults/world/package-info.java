/** A database, processes on it, and everything that can happen to them. */
@NullMarked
package outbox.faults.world;

import org.jspecify.annotations.NullMarked;
