package outbox.samples.docs;

import java.time.Duration;
import java.util.function.UnaryOperator;
import outbox.EventListener;
import outbox.Outbox;
import outbox.destination.Destination;
import outbox.destination.DestinationRoutes;
import outbox.destination.EventHandlers;
import outbox.destination.EventMatch;
import outbox.destination.GuardedDestination;
import outbox.destination.MessageFormat;
import outbox.destination.NameRule;
import outbox.destination.Upcasters;
import outbox.jdbc.database.JdbcDatabase;
import outbox.kafka.KafkaDestination;

/** Events on their way to brokers, servers and handlers. */
final class Destinations {

  private Destinations() {}

  static GuardedDestination guard(Destination partner) {
    // docs:begin guard
    GuardedDestination guarded =
        GuardedDestination.builder(partner)
            .timeout(Duration.ofSeconds(20))
            .maxInFlight(100)
            .rate(50)
            .build();
    // docs:end guard
    return guarded;
  }

  static Outbox oneDestination(JdbcDatabase database, GuardedDestination kafka) {
    // docs:begin one
    DestinationRoutes routes =
        DestinationRoutes.builder()
            .route(EventMatch.ofType("OrderPlaced", "OrderPaid"), kafka)
            .build();
    Outbox outbox =
        Outbox.multiNode().database(database).listenerRegistry(routes).routableOnly().build();
    // docs:end one
    return outbox;
  }

  static Outbox severalDestinations(
      JdbcDatabase database, GuardedDestination kafka, GuardedDestination partner) {
    // docs:begin several
    DestinationRoutes routes =
        DestinationRoutes.builder()
            .route(EventMatch.ofType("OrderPlaced", "OrderPaid"), kafka)
            .route(EventMatch.ofType("OrderPlaced").tenant("acme").header("region", "eu"), partner)
            .build();
    Outbox outbox =
        Outbox.multiNode().database(database).listenerRegistry(routes).routableOnly().build();
    routes.fanOutBy(outbox.writer(), database::begin);
    outbox.start();
    // docs:end several
    return outbox;
  }

  static NameRule names() {
    // docs:begin names
    NameRule topic = NameRule.of("{header:topic|aggregateType}.{tenant|'shared'}");
    // docs:end names
    return topic;
  }

  static KafkaDestination topics() {
    // docs:begin topic
    KafkaDestination kafka =
        KafkaDestination.builder("kafka-1:9092,kafka-2:9092")
            .topic(NameRule.of("{header:topic}").versioned())
            .build();
    // docs:end topic
    return kafka;
  }

  static EventHandlers handlers(EventListener mail, EventListener search) {
    // docs:begin handlers
    EventHandlers handlers =
        EventHandlers.builder()
            .on("OrderPlaced", "mail", mail)
            .on("OrderPlaced", "search", search)
            .build();
    // docs:end handlers
    return handlers;
  }

  static MessageFormat upcasters(
      UnaryOperator<String> addCurrency, UnaryOperator<String> renameTotal) {
    // docs:begin upcasters
    Upcasters upcasters =
        Upcasters.builder()
            .step("OrderPlaced", "1", "2", addCurrency::apply)
            .step("OrderPlaced", "2", "3", renameTotal::apply)
            .unversioned("OrderPlaced", "1")
            .build();
    MessageFormat format = upcasters.before(MessageFormat.raw());
    // docs:end upcasters
    return format;
  }
}
