/** Takes orders. */
@NullMarked
package outbox.samples.modulith.orders;

import org.jspecify.annotations.NullMarked;
