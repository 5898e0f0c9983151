/** Writes objects as the payloads of events, and reads them back, with Jackson. */
@NullMarked
package outbox.jackson;

import org.jspecify.annotations.NullMarked;
