/** Not part of the API. */
@NullMarked
package outbox.destination.internal;

import org.jspecify.annotations.NullMarked;
