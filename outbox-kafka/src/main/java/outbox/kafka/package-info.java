/** Sends events to Apache Kafka. */
@NullMarked
package outbox.kafka;

import org.jspecify.annotations.NullMarked;
