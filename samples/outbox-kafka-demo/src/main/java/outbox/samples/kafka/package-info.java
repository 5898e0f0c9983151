/** Orders on H2, whose events go to Kafka in order and through an outage. */
@NullMarked
package outbox.samples.kafka;

import org.jspecify.annotations.NullMarked;
