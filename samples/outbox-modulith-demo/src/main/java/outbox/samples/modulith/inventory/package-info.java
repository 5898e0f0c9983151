/** Keeps stock, told by events. */
@NullMarked
package outbox.samples.modulith.inventory;

import org.jspecify.annotations.NullMarked;
