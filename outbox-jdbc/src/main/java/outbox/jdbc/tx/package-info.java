/** Transactions for applications that have no framework for them. */
@NullMarked
package outbox.jdbc.tx;

import org.jspecify.annotations.NullMarked;
