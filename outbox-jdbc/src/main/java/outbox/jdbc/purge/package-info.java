/** Purgers: one per database. */
@NullMarked
package outbox.jdbc.purge;

import org.jspecify.annotations.NullMarked;
