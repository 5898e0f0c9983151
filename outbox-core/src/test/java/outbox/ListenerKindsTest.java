package outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.internal.BatchMarks;

/** Each kind of listener can be called as a plain one. */
@Timeout(120)
class ListenerKindsTest {

  private final EventEnvelope event = EventEnvelope.ofJson("T", "{}");
  private final EventEnvelope other = EventEnvelope.ofJson("T", "{}");

  @Test
  void plainCallWaitsForTheStage() {
    CompletableFuture<String> stage = new CompletableFuture<>();
    AsyncEventListener listener = e -> stage;
    CompletableFuture<Void> call =
        CompletableFuture.runAsync(
            () -> assertThatCode(() -> listener.onEvent(event)).doesNotThrowAnyException());
    assertThat(call).isNotDone();

    stage.complete("sent");

    call.join();
  }

  @Test
  void plainCallThrowsWhatTheStageEndedWith() {
    AsyncEventListener failing = e -> CompletableFuture.failedFuture(new IOException("refused"));
    AsyncEventListener broken = e -> CompletableFuture.failedFuture(new AssertionError("bug"));
    AsyncEventListener missing = e -> null;

    assertThatThrownBy(() -> failing.onEvent(event)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> broken.onEvent(event)).hasRootCauseInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> missing.onEvent(event)).hasMessageContaining("no stage");
  }

  @Test
  void plainCallIsABatchOfOne() throws Exception {
    List<List<EventEnvelope>> batches = new ArrayList<>();
    BatchEventListener listener = (events, result) -> batches.add(events);

    listener.onEvent(event);

    assertThat(batches).containsExactly(List.of(event));
    assertThat(listener.maxBatch()).isEqualTo(100);
  }

  @Test
  void plainCallThrowsWhatTheBatchSaid() {
    BatchEventListener saying = (events, result) -> result.failed(event, new IOException("no"));
    BatchEventListener throwing =
        (events, result) -> {
          throw new IOException("no");
        };
    AsyncBatchEventListener staged =
        (events, result) -> CompletableFuture.failedFuture(new IOException("no"));

    assertThatThrownBy(() -> saying.onEvent(event)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> throwing.onEvent(event)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> staged.onEvent(event)).isInstanceOf(IOException.class);
  }

  @Test
  void whatWasDeliveredStaysSoIfTheBatchFailsAfterwards() {
    IOException lost = new IOException("connection lost");
    BatchMarks marks = new BatchMarks(List.of(event, other));

    marks.delivered(event);
    marks.end(lost);
    marks.delivered(other);

    assertThat(marks.failureOf(event)).isNull();
    assertThat(marks.failureOf(other)).isSameAs(lost);
  }

  @Test
  void lastWordOnAnEventCounts() {
    BatchMarks marks = new BatchMarks(List.of(event));

    marks.failed(event, new IOException("first"));
    marks.delivered(event);
    marks.end(null);

    assertThat(marks.failureOf(event)).isNull();
  }

  @Test
  void eventsOfOtherBatchesAreRefused() {
    BatchMarks marks = new BatchMarks(List.of(event));

    assertThatThrownBy(() -> marks.delivered(other)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> marks.failed(event, null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void impossibleDelaysAreRefused() {
    assertThatThrownBy(() -> new RetryAfterException(Duration.ofSeconds(-1), "no"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new DeferException(Duration.ofSeconds(-1), "no"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RetryAfterException((Instant) null, "no"))
        .isInstanceOf(NullPointerException.class);
  }
}
