/** A small shop whose orders are shipped by a listener of the outbox. */
@NullMarked
package outbox.samples.spring;

import org.jspecify.annotations.NullMarked;
