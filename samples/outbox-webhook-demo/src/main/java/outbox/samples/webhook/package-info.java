/** Orders that become signed webhooks, and a partner who verifies them. */
@NullMarked
package outbox.samples.webhook;

import org.jspecify.annotations.NullMarked;
