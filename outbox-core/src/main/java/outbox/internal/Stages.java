package outbox.internal;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import outbox.OutboxException;
import outbox.util.Nullable;

/** What is to be known about the stages of asynchronous listeners. */
public final class Stages {

  private Stages() {}

  /** Waits until the stage completes, and throws what it completed with, if it did. */
  public static void await(@Nullable CompletionStage<?> stage) throws Exception {
    try {
      required(stage).toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw asException(unwrapped(e));
    }
  }

  public static <T> CompletionStage<T> required(@Nullable CompletionStage<T> stage) {
    if (stage == null) {
      throw new OutboxException(
          "asynchronous listener returned no stage; return one that is completed instead", null);
    }
    return stage;
  }

  /** Without what the JDK wraps around a stage's failure. */
  public static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean isWrapper =
        failure instanceof CompletionException || failure instanceof ExecutionException;
    return isWrapper && cause != null ? cause : failure;
  }

  /** For a signature without Errors. */
  public static Exception asException(Throwable failure) {
    return failure instanceof Exception exception
        ? exception
        : new OutboxException("listener threw " + failure.getClass().getName(), failure);
  }
}
