/** From a transaction to a queue of RabbitMQ. */
@NullMarked
package outbox.samples.rabbitmq;

import org.jspecify.annotations.NullMarked;
