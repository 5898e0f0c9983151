/** A database with its outbox table, ready for an outbox to be built on. */
@NullMarked
package outbox.jdbc.database;

import org.jspecify.annotations.NullMarked;
