/** Sends events to RabbitMQ. */
@NullMarked
package outbox.rabbitmq;

import org.jspecify.annotations.NullMarked;
