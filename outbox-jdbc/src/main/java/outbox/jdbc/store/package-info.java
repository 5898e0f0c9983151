/** Stores: one per database, found by name, by JDBC URL or by asking a connection. */
@NullMarked
package outbox.jdbc.store;

import org.jspecify.annotations.NullMarked;
