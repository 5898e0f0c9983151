/** The transactional outbox: API, dispatcher, poller, purge and dead letters. */
@SuppressWarnings("module") // these are built later and need the internals
module outbox.core {
  requires transitive java.sql;

  exports outbox;
  exports outbox.dead;
  exports outbox.dispatch;
  exports outbox.domain;
  exports outbox.model;
  exports outbox.ordered;
  exports outbox.poller;
  exports outbox.purge;
  exports outbox.registry;
  exports outbox.spi;
  exports outbox.util;
  exports outbox.internal to
      outbox.cloudevents,
      outbox.destinations,
      outbox.jdbc,
      outbox.kafka,
      outbox.opentelemetry,
      outbox.rabbitmq,
      outbox.spring.adapter,
      outbox.spring.boot.starter,
      outbox.webhook;
}
