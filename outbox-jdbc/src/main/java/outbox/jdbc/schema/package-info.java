/** The tables, printed or applied. */
@NullMarked
package outbox.jdbc.schema;

import org.jspecify.annotations.NullMarked;
