package outbox;

import java.util.concurrent.CompletionStage;
import outbox.internal.Stages;

/**
 * A listener that doesn't keep a worker waiting: the event is delivered when the stage it returned
 * completes, and has failed if that completes exceptionally.
 *
 * <p>Registered like any other. The call itself runs on a worker and should return at once; a null
 * stage is a failure. How many events are under way at once is bounded by the dispatcher's {@code
 * asyncInFlight} and {@code queueBytes}. Interceptors see the end of such a delivery on the thread
 * that completed the stage.
 *
 * <pre>{@code
 * AsyncEventListener send = event -> client.sendAsync(request(event), ofString());
 * registry.register("OrderPlaced", send);
 * }</pre>
 */
public interface AsyncEventListener extends EventListener {

  CompletionStage<?> onEventAsync(EventEnvelope event) throws Exception;

  /** For callers that know nothing of stages: waits for it. */
  @Override
  default void onEvent(EventEnvelope event) throws Exception {
    Stages.await(onEventAsync(event));
  }
}
