/** What the stores, the purgers and the schema share: names, connections, statements, errors. */
@NullMarked
package outbox.jdbc;

import org.jspecify.annotations.NullMarked;
