/** The business: orders are placed over HTTP and shipped when their event arrives. */
@NullMarked
package outbox.samples.spring.order;

import org.jspecify.annotations.NullMarked;
