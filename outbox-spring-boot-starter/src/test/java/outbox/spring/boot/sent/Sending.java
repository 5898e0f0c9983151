package outbox.spring.boot.sent;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import outbox.destination.DestinationRoutes;
import outbox.destination.EventMatch;
import outbox.destination.GuardedDestination;

/** An application that sends its events to two destinations. */
@Configuration(proxyBeanMethods = false)
public class Sending {

  /** What becomes of what is sent. */
  @Bean
  MemoryDestination kafkaTopics() {
    return new MemoryDestination("kafka");
  }

  @Bean
  MemoryDestination partnerCalls() {
    return new MemoryDestination("partner");
  }

  @Bean
  GuardedDestination kafka(MemoryDestination kafkaTopics) {
    return GuardedDestination.builder(kafkaTopics).outageAfter(1).build();
  }

  @Bean
  GuardedDestination partner(MemoryDestination partnerCalls) {
    return new GuardedDestination(partnerCalls);
  }

  // docs:begin routes
  @Bean
  DestinationRoutes routes(GuardedDestination kafka, GuardedDestination partner) {
    return DestinationRoutes.builder()
        .route(EventMatch.ofType("OrderPlaced", "OrderPaid"), kafka)
        .route(EventMatch.ofType("OrderPlaced"), partner)
        .build();
  }
  // docs:end routes
}
