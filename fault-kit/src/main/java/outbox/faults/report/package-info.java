/** What scenarios found, and the page that tells it. */
@NullMarked
package outbox.faults.report;

import org.jspecify.annotations.NullMarked;
