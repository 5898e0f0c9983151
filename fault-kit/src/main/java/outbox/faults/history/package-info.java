/** What every process wrote down while it lived. */
@NullMarked
package outbox.faults.history;

import org.jspecify.annotations.NullMarked;
