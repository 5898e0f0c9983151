/** Two databases, two outboxes, one process. */
@NullMarked
package outbox.samples.multids;

import org.jspecify.annotations.NullMarked;
