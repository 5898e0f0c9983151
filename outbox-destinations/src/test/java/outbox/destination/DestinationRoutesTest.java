package outbox.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.dispatch.UnroutableEventException;

class DestinationRoutesTest {

  private final GuardedDestination kafka = guarded("kafka");
  private final GuardedDestination rabbit = guarded("rabbit");
  private final GuardedDestination audit = guarded("audit");

  @Test
  void anEventGoesToTheDestinationsOfAllRoutesThatMatchIt() {
    DestinationRoutes routes =
        DestinationRoutes.builder()
            .route(EventMatch.ofType("OrderPlaced"), kafka)
            .route(EventMatch.all().tenant("acme"), audit)
            .route(EventMatch.ofType("OrderPlaced").header("region", "eu", "uk"), rabbit, kafka)
            .otherwise(audit)
            .build();

    assertThat(routes.destinationsOf(event("OrderPlaced").build())).containsExactly(kafka);
    assertThat(routes.destinationsOf(event("OrderPlaced").tenantId("acme").build()))
        .containsExactly(kafka, audit);
    assertThat(routes.destinationsOf(event("OrderPlaced").header("region", "uk").build()))
        .containsExactly(kafka, rabbit);
    assertThat(routes.destinationsOf(event("UserAdded").build())).containsExactly(audit);
  }

  @Test
  void routesCanAskForAnAggregateType() {
    DestinationRoutes routes =
        DestinationRoutes.builder().route(EventMatch.all().aggregateType("Order"), kafka).build();

    assertThat(routes.listenerFor("Order", "Placed")).isSameAs(kafka);
    assertThat(routes.listenerFor("User", "Placed")).isNull();
  }

  @Test
  void eventsOfOneDestinationAreSentWithoutARowOfTheirOwn() {
    DestinationRoutes routes =
        DestinationRoutes.builder()
            .route(EventMatch.ofType("OrderPlaced"), audit)
            .route(EventMatch.ofType("UserAdded"), kafka, rabbit)
            .build();

    assertThat(routes.listenerFor("Order", "OrderPlaced")).isSameAs(audit);
    assertThat(routes.listenerFor("Order", "UserAdded"))
        .isNotNull()
        .isSameAs(routes.listenerFor("User", "UserAdded"))
        .isNotInstanceOf(GuardedDestination.class);
    assertThat(routes.listenerFor("Order@kafka", "outbox-to:kafka")).isNotNull();
    assertThat(routes.listenerFor("Order@gone", "outbox-to:gone")).isNull();
  }

  @Test
  void typesOfADestinationThatTakesNothingAreNotOffered() {
    DestinationRoutes routes =
        DestinationRoutes.builder()
            .route(EventMatch.ofType("OrderPlaced"), kafka)
            .route(EventMatch.ofType("OrderPaid"), rabbit)
            .route(EventMatch.ofType("UserAdded"), kafka, rabbit)
            .build();
    Set<String> all =
        Set.of("OrderPlaced", "OrderPaid", "UserAdded", "outbox-to:kafka", "outbox-to:rabbit");
    assertThat(routes.eventTypes()).contains(all);

    kafka.pause();
    assertThat(routes.eventTypes()).contains(Set.of("OrderPaid", "UserAdded", "outbox-to:rabbit"));

    kafka.resume();
    assertThat(routes.eventTypes()).contains(all);
  }

  @Test
  void aTypeIsOfferedWhileADestinationOfSomeAggregateTypeTakesEvents() {
    DestinationRoutes routes =
        DestinationRoutes.builder()
            .route(EventMatch.ofType("Changed").aggregateType("Order"), kafka)
            .otherwise(rabbit)
            .eventTypes("Changed")
            .build();

    kafka.pause();
    assertThat(routes.eventTypes()).contains(Set.of("Changed", "outbox-to:rabbit"));

    rabbit.pause();
    assertThat(routes.eventTypes()).contains(Set.of());
  }

  @Test
  void anEventThatTheOnlyRouteDoesNotMatchIsUnroutableAndTheOthersAreNotCopied() throws Exception {
    DestinationRoutes routes =
        DestinationRoutes.builder()
            .route(EventMatch.ofType("OrderPlaced").tenant("acme"), kafka)
            .build();
    EventListener listener = routes.listenerFor("Order", "OrderPlaced");

    listener.onEvent(event("OrderPlaced").tenantId("acme").build());

    assertThat(kafka.health().delivered()).isEqualTo(1);
    assertThatThrownBy(() -> listener.onEvent(event("OrderPlaced").build()))
        .isInstanceOf(UnroutableEventException.class)
        .hasMessageContaining("no route matches event");
  }

  @Test
  void routesForAnyTypeAreKnownByTheTypesThatAreToldOf() {
    assertThat(DestinationRoutes.builder().otherwise(kafka).build().eventTypes()).isEmpty();
    assertThat(
            DestinationRoutes.builder()
                .route(EventMatch.all().tenant("acme"), rabbit)
                .otherwise(kafka)
                .eventTypes("A", "B")
                .build()
                .eventTypes())
        .hasValueSatisfying(types -> assertThat(types).contains("A", "B"));
  }

  @Test
  void whatCannotBeRoutedIsRefusedWhenItIsBuilt() {
    assertThatThrownBy(() -> DestinationRoutes.builder().build())
        .hasMessage("routes must be one at least, got: none");
    assertThatThrownBy(() -> DestinationRoutes.builder().route(EventMatch.all()))
        .hasMessage("destinations must be one at least, got: none");
    assertThatThrownBy(() -> DestinationRoutes.builder().otherwise(kafka, guarded("kafka")))
        .hasMessage("name of the destination must be unique, got: kafka");
    assertThatThrownBy(
            () -> DestinationRoutes.builder().route(EventMatch.ofType("outbox-to:x"), kafka))
        .hasMessage("eventType must be one that doesn't begin with outbox-to:, got: outbox-to:x");
    assertThatThrownBy(() -> EventMatch.ofType())
        .hasMessage("eventType must be one value at least, got: none");
  }

  @Test
  void moreDestinationsThanCanBeToldApartAreRefused() {
    GuardedDestination[] most =
        IntStream.range(0, 64).mapToObj(i -> guarded("d" + i)).toArray(GuardedDestination[]::new);
    DestinationRoutes.Builder routes = DestinationRoutes.builder().otherwise(most);

    assertThat(routes.build().destinations()).hasSize(64);
    routes.otherwise(guarded("d64"));
    assertThatThrownBy(routes::build).hasMessage("destinations must be at most 64, got: 65");
  }

  @Test
  void closeClosesEveryDestination() {
    DestinationRoutes routes = DestinationRoutes.builder().otherwise(kafka, rabbit).build();

    routes.close();

    assertThat(routes.health())
        .extracting(DestinationHealth::state)
        .containsOnly(DestinationHealth.State.CLOSED);
  }

  private static GuardedDestination guarded(String name) {
    return new GuardedDestination(new ScriptedDestination(name));
  }

  private static EventEnvelope.Builder event(String type) {
    return EventEnvelope.builder(type).payloadJson("{}");
  }
}
