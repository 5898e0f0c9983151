package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.model.EventStatus;
import outbox.testing.InMemoryOutboxStore;
import outbox.testing.RecordingWriterHook.Step;
import outbox.testing.StubTxContext;

/** What a hook may do to a write, and what it can't. */
class WriterHookTest {

  private final InMemoryOutboxStore store = new InMemoryOutboxStore();
  private final StubTxContext tx = new StubTxContext(store.connections());

  private static EventEnvelope event() {
    return EventEnvelope.ofJson("T", "{}");
  }

  /** Does something in one step and records what it sees in the others. */
  private static class StepHook implements WriterHook {

    private final List<String> seen = new ArrayList<>();

    @Override
    public void afterWrite(List<EventEnvelope> events) {
      seen.add("afterWrite " + events.size());
    }

    @Override
    public void afterCommit(List<EventEnvelope> events) {
      seen.add("afterCommit " + events.size());
    }

    @Override
    public void afterRollback(List<EventEnvelope> events) {
      seen.add("afterRollback " + events.size());
    }
  }

  @Test
  void hookThatDoesNothingKeepsNoEventsUntilTheEnd() {
    assertThat(WriterHook.NOOP.ending(List.of(event()), null)).isSameAs(WriterHook.Ending.NOTHING);
  }

  private static StepHook changing(UnaryOperator<List<EventEnvelope>> change) {
    return new StepHook() {
      @Override
      public List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
        return change.apply(events);
      }
    };
  }

  private static EventEnvelope marked(EventEnvelope event, String mark) {
    return event.withHeaders(Map.of(mark, String.valueOf(event.headers().size())));
  }

  private static StepHook marking(String mark) {
    return changing(events -> events.stream().map(event -> marked(event, mark)).toList());
  }

  @Test
  void hooksInARowSeeWhatTheOneBeforeMadeOfTheEvents() {
    StepHook first = marking("first");
    StepHook second = marking("second");
    tx.begin();

    String id = new OutboxWriter(tx, store, first.andThen(second)).write(event());
    tx.commit();

    assertThat(store.find(id).orElseThrow().event().headersJson())
        .contains("\"first\":\"0\"", "\"second\":\"1\"");
    assertThat(first.seen).containsExactly("afterWrite 1", "afterCommit 1");
    assertThat(second.seen).containsExactly("afterWrite 1", "afterCommit 1");
  }

  @Test
  void hookAfterOneThatSuppressesTheWriteIsNotAsked() {
    StepHook second =
        changing(
            events -> {
              throw new AssertionError("asked");
            });
    tx.begin();

    assertThat(new OutboxWriter(tx, store, changing(events -> null).andThen(second)).write(event()))
        .isNull();
  }

  @Test
  void changedListIsWhatIsWrittenAndReturned() {
    EventEnvelope replacement = event();
    StepHook hook = changing(events -> List.of(replacement, events.get(0)));
    EventEnvelope given = event();
    tx.begin();

    List<String> ids = new OutboxWriter(tx, store, hook).writeAll(List.of(given));
    tx.commit();

    assertThat(ids).containsExactly(replacement.eventId(), given.eventId());
    assertThat(store.count(EventStatus.NEW)).isEqualTo(2);
    assertThat(hook.seen).containsExactly("afterWrite 2", "afterCommit 2");
  }

  @Test
  void writeReturnsTheIdThatWasWritten() {
    EventEnvelope replacement = event();
    tx.begin();

    String id = new OutboxWriter(tx, store, changing(e -> List.of(replacement))).write(event());

    assertThat(id).isEqualTo(replacement.eventId());
  }

  @Test
  void suppressedWriteInsertsNothingAndCallsNoFurtherStep() {
    StepHook none = changing(events -> null);
    StepHook empty = changing(events -> List.of());
    tx.begin();

    String single = new OutboxWriter(tx, store, none).write(event());
    List<String> several = new OutboxWriter(tx, store, empty).writeAll(List.of(event(), event()));
    String byName = new OutboxWriter(tx, store, none).write("T", "{}");
    tx.commit();

    assertThat(single).isNull();
    assertThat(byName).isNull();
    assertThat(several).isEmpty();
    assertThat(store.count(EventStatus.NEW)).isZero();
    assertThat(none.seen).isEmpty();
    assertThat(empty.seen).isEmpty();
  }

  @Test
  void exceptionBeforeTheWriteStopsIt() {
    StepHook hook =
        changing(
            events -> {
              throw new IllegalArgumentException("not allowed");
            });
    tx.begin();

    assertThatThrownBy(() -> new OutboxWriter(tx, store, hook).write(event()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not allowed");

    tx.commit();
    assertThat(store.count(EventStatus.NEW)).isZero();
    assertThat(hook.seen).isEmpty();
  }

  @Test
  void nullAmongTheChangedEventsStopsTheWrite() {
    tx.begin();

    assertThatThrownBy(
            () ->
                new OutboxWriter(tx, store, changing(e -> Arrays.asList(e.get(0), null)))
                    .write(event()))
        .isInstanceOf(NullPointerException.class);

    tx.commit();
    assertThat(store.count(EventStatus.NEW)).isZero();
  }

  @Test
  void listThatIsChangedAfterwardsChangesNothing() {
    List<EventEnvelope> mine = new ArrayList<>();
    List<EventEnvelope> given = new ArrayList<>(List.of(event()));
    List<List<EventEnvelope>> committed = new ArrayList<>();
    WriterHook hook =
        new WriterHook() {
          @Override
          public List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
            mine.addAll(events);
            return mine;
          }

          @Override
          public void afterWrite(List<EventEnvelope> events) {
            mine.add(event());
          }

          @Override
          public void afterCommit(List<EventEnvelope> events) {
            committed.add(events);
          }
        };
    tx.begin();

    List<String> ids = new OutboxWriter(tx, store, hook).writeAll(given);
    given.clear();
    tx.commit();

    assertThat(ids).hasSize(1);
    assertThat(committed).singleElement().satisfies(events -> assertThat(events).hasSize(1));
  }

  @Test
  void hookCannotChangeTheCallersList() {
    List<EventEnvelope> given = new ArrayList<>(List.of(event()));
    StepHook greedy =
        changing(
            events -> {
              events.add(event());
              return events;
            });
    tx.begin();

    assertThatThrownBy(() -> new OutboxWriter(tx, store, greedy).writeAll(given))
        .isInstanceOf(UnsupportedOperationException.class);

    assertThat(given).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"AFTER_WRITE", "AFTER_COMMIT", "AFTER_ROLLBACK"})
  void exceptionsAndErrorsAfterTheInsertGoNoFurther(Step step) {
    for (Throwable failure : List.of(new IllegalStateException("a"), new AssertionError("b"))) {
      OutboxWriter writer = new OutboxWriter(tx, store, failing(step, failure));

      assertThatCode(
              () -> {
                tx.begin();
                writer.write(event());
                if (step == Step.AFTER_ROLLBACK) {
                  tx.rollback();
                } else {
                  tx.commit();
                }
              })
          .doesNotThrowAnyException();
    }
    assertThat(store.count(EventStatus.NEW)).isEqualTo(step == Step.AFTER_ROLLBACK ? 0 : 2);
  }

  @Test
  void failingHookDoesNotKeepOthersFromTheirCommit() {
    StepHook second = new StepHook();
    tx.begin();
    new OutboxWriter(tx, store, failing(Step.AFTER_COMMIT, new AssertionError())).write(event());
    new OutboxWriter(tx, store, second).write(event());

    tx.commit();

    assertThat(second.seen).containsExactly("afterWrite 1", "afterCommit 1");
  }

  @Test
  void writeInsideAfterCommitIsRefusedAndHarmsNothing() {
    StepHook later = new StepHook();
    List<OutboxWriter> self = new ArrayList<>();
    WriterHook reentrant =
        new WriterHook() {
          @Override
          public void afterCommit(List<EventEnvelope> events) {
            self.get(0).write(event());
          }
        };
    self.add(new OutboxWriter(tx, store, reentrant));
    tx.begin();
    self.get(0).write(event());
    new OutboxWriter(tx, store, later).write(event());

    tx.commit();

    assertThat(later.seen).contains("afterCommit 1");
    assertThat(store.count(EventStatus.NEW)).isEqualTo(2);
  }

  private static WriterHook failing(Step at, Throwable failure) {
    Consumer<Step> fail =
        step -> {
          if (step == at) {
            sneak(failure);
          }
        };
    return new WriterHook() {
      @Override
      public void afterWrite(List<EventEnvelope> events) {
        fail.accept(Step.AFTER_WRITE);
      }

      @Override
      public void afterCommit(List<EventEnvelope> events) {
        fail.accept(Step.AFTER_COMMIT);
      }

      @Override
      public void afterRollback(List<EventEnvelope> events) {
        fail.accept(Step.AFTER_ROLLBACK);
      }
    };
  }

  private static void sneak(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }
}
