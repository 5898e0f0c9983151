package outbox.webhook;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Throws a body away, so that its connection can be used again, as long as that is worth it: what
 * is too long or too slow is cut off. The answer stands either way; nothing in it is needed.
 */
final class Drain implements BodySubscriber<@Nullable Void> {

  private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final Duration longest;
  private long bytesLeft;

  Drain(long mostBytes, Duration longest) {
    bytesLeft = mostBytes;
    this.longest = longest;
  }

  @Override
  public CompletionStage<@Nullable Void> getBody() {
    return end;
  }

  @Override
  public void onSubscribe(Flow.Subscription body) {
    var unused =
        end.completeOnTimeout(null, longest.toMillis(), TimeUnit.MILLISECONDS)
            .thenRun(
                () -> {
                  if (isOver.compareAndSet(false, true)) {
                    body.cancel();
                  }
                });
    body.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      bytesLeft -= buffer.remaining();
    }
    if (bytesLeft < 0) {
      end.complete(null);
    }
  }

  @Override
  public void onError(Throwable broken) {
    isOver.set(true);
    end.complete(null);
  }

  @Override
  public void onComplete() {
    isOver.set(true);
    end.complete(null);
  }
}
