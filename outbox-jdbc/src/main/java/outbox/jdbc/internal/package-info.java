/** Not part of the API. */
@NullMarked
package outbox.jdbc.internal;

import org.jspecify.annotations.NullMarked;
