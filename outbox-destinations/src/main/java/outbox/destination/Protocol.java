package outbox.destination;

/** What a message is sent by; each has names of its own for what stands beside a body. */
public enum Protocol {
  KAFKA,
  AMQP,
  HTTP
}
