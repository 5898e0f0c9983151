package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventFilter;
import outbox.spi.EventPurger;
import outbox.spi.OutboxDatabase;
import outbox.spi.OutboxStore;
import outbox.spi.TxContext;
import outbox.testing.CapturedLogs;
import outbox.testing.DelegatingStore;
import outbox.testing.Harness;

/** A setting that would do nothing is refused, or said to do nothing. */
class SettingsWithoutEffectTest {

  private final Harness harness = new Harness();

  static Stream<Arguments> withoutHotPath() {
    return Stream.of(
        Arguments.of(Outbox.ordered(), "ordered()"),
        Arguments.of(Outbox.multiNode().singleActive(), "singleActive"),
        Arguments.of(Outbox.multiNode().hotPath(false), "hotPath(false)"),
        Arguments.of(Outbox.singleNode().hotPath(false), "hotPath(false)"));
  }

  static Stream<RelayBuilder<?>> withHotPath() {
    return Stream.of(Outbox.singleNode(), Outbox.multiNode());
  }

  @ParameterizedTest
  @MethodSource("withoutHotPath")
  void capacityOfAHotQueueThatNothingEntersIsSaidToDoNothing(RelayBuilder<?> builder, String by) {
    assertThat(warnings(builder.dispatcher(settings -> settings.hotQueueCapacity(500))))
        .anyMatch(
            line ->
                line.contains("hotQueueCapacity has no effect with " + by)
                    && line.contains("coldQueueCapacity"));
  }

  @ParameterizedTest
  @MethodSource("withoutHotPath")
  void nothingIsSaidOfACapacityThatNobodySet(RelayBuilder<?> builder, String by) {
    assertThat(warnings(builder.dispatcher(settings -> settings.coldQueueCapacity(500))))
        .noneMatch(line -> line.contains("hotQueueCapacity"));
  }

  @ParameterizedTest
  @MethodSource("withHotPath")
  void nothingIsSaidWhereThereIsAHotPath(RelayBuilder<?> builder) {
    assertThat(warnings(builder.dispatcher(settings -> settings.hotQueueCapacity(500))))
        .noneMatch(line -> line.contains("hotQueueCapacity"));
  }

  @Test
  void purgerOfAWriterThatPurgesNothingIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> writer().purger(harness.store.purger()).build())
        .withMessageContaining("appendOnlyRetention");
    assertThatIllegalStateException()
        .isThrownBy(
            () -> Outbox.writerOnly().database(database()).purger(harness.store.purger()).build())
        .withMessageContaining("appendOnlyRetention");
  }

  @ParameterizedTest
  @MethodSource("withHotPath")
  void purgeOfWhatIsStillToBeDeliveredIsRefused(RelayBuilder<?> builder) {
    builder
        .database(database())
        .purger(harness.store.purger())
        .listener(Harness.TYPE, harness.listener)
        .purge(settings -> settings.appendOnlyRetention(Duration.ofDays(1)));

    assertThatIllegalStateException()
        .isThrownBy(builder::build)
        .withMessageContaining("appendOnlyRetention")
        .withMessageContaining("writerOnly");
  }

  @Test
  void leaseThatIsOverBeforeAnythingComesOfItIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Outbox.multiNode().lease(Duration.ofMillis(999)))
        .withMessage("lease must be at least PT1S, got: PT0.999S");
  }

  @ParameterizedTest
  @MethodSource("withHotPath")
  void filterOfAStoreThatKnowsNoneIsRefused(RelayBuilder<?> builder) {
    builder
        .database(database())
        .store(new DelegatingStore(harness.store))
        .listener(Harness.TYPE, harness.listener)
        .filter(EventFilter.ALL.withTenantIds(Set.of("acme")));

    assertThatIllegalStateException()
        .isThrownBy(builder::build)
        .withMessageContaining("fetchesFiltered");
  }

  @Test
  void purgerThatPurgesOrComesWithTheDatabaseIsNot() {
    assertThatCode(
            () ->
                writer()
                    .purger(harness.store.purger())
                    .appendOnlyRetention(Duration.ofDays(1))
                    .build())
        .doesNotThrowAnyException();
    assertThatCode(() -> Outbox.writerOnly().database(database()).build())
        .doesNotThrowAnyException();
    assertThatCode(
            () -> Outbox.writerOnly().purger(harness.store.purger()).database(database()).build())
        .doesNotThrowAnyException();
  }

  private List<String> warnings(RelayBuilder<?> builder) {
    try (CapturedLogs logs = new CapturedLogs();
        Outbox outbox =
            builder.database(database()).listener(Harness.TYPE, harness.listener).build()) {
      outbox.start();
      return logs.at(Level.WARNING);
    }
  }

  private WriterOnlyBuilder writer() {
    return Outbox.writerOnly()
        .store(harness.store)
        .connectionProvider(harness.store.connections())
        .txContext(harness.tx);
  }

  private OutboxDatabase database() {
    return new OutboxDatabase() {
      @Override
      public OutboxStore store() {
        return harness.store;
      }

      @Override
      public ConnectionProvider connections() {
        return harness.store.connections();
      }

      @Override
      public TxContext transactions() {
        return harness.tx;
      }

      @Override
      public EventPurger purger() {
        return harness.store.purger();
      }
    };
  }
}
