package outbox.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeadFilterTest {

  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");

  @Test
  void everyWitherKeepsTheRest() {
    DeadFilter filter =
        DeadFilter.all()
            .withErrorText("refused")
            .withDied(NOW, NOW.plusSeconds(1))
            .withTenant("acme")
            .withAggregate("Order", "42")
            .withEventType("OrderPlaced")
            .withIds(List.of("a"));

    assertThat(filter)
        .isEqualTo(
            new DeadFilter(
                List.of("a"),
                "OrderPlaced",
                "Order",
                "42",
                "acme",
                NOW,
                NOW.plusSeconds(1),
                "refused"));
    assertThat(filter.withErrorText(null).ids()).containsExactly("a");
  }

  @Test
  void idsThatMeanEveryEventAreRefused() {
    assertThatThrownBy(() -> DeadFilter.all().withIds(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ids must be not empty, got: []");
  }

  @Test
  void tooManyIdsAreRefusedAndRepeatedOnesCountOnce() {
    List<String> ids = IntStream.range(0, 501).mapToObj(i -> "id-" + i).toList();

    assertThatThrownBy(() -> DeadFilter.all().withIds(ids))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ids must be at most 500, got: 501");
    assertThat(DeadFilter.all().withIds(List.of("a", "a")).ids()).containsExactly("a");
  }

  @Test
  void emptyTextsAreRefused() {
    assertRefused(() -> DeadFilter.all().withEventType(""), "eventType");
    assertRefused(() -> DeadFilter.all().withAggregate("", null), "aggregateType");
    assertRefused(() -> DeadFilter.all().withAggregate(null, ""), "aggregateId");
    assertRefused(() -> DeadFilter.all().withTenant(""), "tenantId");
    assertRefused(() -> DeadFilter.all().withErrorText(""), "errorText");
  }

  @Test
  void timeRunsForward() {
    assertRefused(() -> DeadFilter.all().withDied(NOW, NOW.minusNanos(1)), "diedFrom");
  }

  @Test
  void cutOffEndsAFilterAndNeverWidensIt() {
    DeadFilter open = DeadFilter.all();
    DeadFilter early = open.withDied(null, NOW.minusSeconds(1));
    DeadFilter late = open.withDied(NOW.plusSeconds(1), NOW.plusSeconds(2));

    assertThat(open.cutOffAt(NOW).diedBefore()).isEqualTo(NOW);
    assertThat(early.cutOffAt(NOW)).isEqualTo(early);
    assertThat(late.cutOffAt(NOW)).isEqualTo(open.withDied(NOW, NOW));
  }

  @Test
  void pagesHaveALimit() {
    DeadQuery query = DeadQuery.of(DeadFilter.all());

    assertThat(query.limit()).isEqualTo(100);
    assertRefused(() -> query.withLimit(0), "limit must be between 1 and 1000");
    assertRefused(() -> query.withLimit(1001), "limit must be between 1 and 1000");
  }

  private static void assertRefused(Runnable call, String message) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
