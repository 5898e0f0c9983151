/** The application: orders, the outbox they write to, and where their events go. */
@NullMarked
package outbox.samples.demo.shop;

import org.jspecify.annotations.NullMarked;
