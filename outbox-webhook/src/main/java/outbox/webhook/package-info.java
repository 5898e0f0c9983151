/** Sends events to HTTP endpoints, signed as Standard Webhooks. */
@NullMarked
package outbox.webhook;

import org.jspecify.annotations.NullMarked;
