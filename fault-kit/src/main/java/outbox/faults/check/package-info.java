/** Judges histories and tables. */
@NullMarked
package outbox.faults.check;

import org.jspecify.annotations.NullMarked;
