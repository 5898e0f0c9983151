/** Wake-ups between processes, where the database can pass them on. */
@NullMarked
package outbox.jdbc.notify;

import org.jspecify.annotations.NullMarked;
