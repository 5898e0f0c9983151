/** Real message brokers that start inside a test run. */
@NullMarked
package outbox.testing.brokers;

import org.jspecify.annotations.NullMarked;
