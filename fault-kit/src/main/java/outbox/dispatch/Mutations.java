package outbox.dispatch;

import java.util.List;
import net.bytebuddy.implementation.bind.annotation.Argument;
import net.bytebuddy.implementation.bind.annotation.FieldValue;
import net.bytebuddy.implementation.bind.annotation.SuperCall;
import net.bytebuddy.implementation.bind.annotation.This;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.spi.Outcome;
import outbox.spi.Settlement;

/** Wrong ways to dispatch; here because they need what only a dispatcher sees. */
public final class Mutations {

  private Mutations() {}

  /** Writes whoever has the claim. */
  public static final class UnfencedCompletion {

    private UnfencedCompletion() {}

    static Settlement settlement(@This Object delivery, @Argument(0) Outcome outcome) {
      return new Settlement(((Delivery) delivery).eventId(), null, outcome);
    }
  }

  /** Lets go of an event whose status is still to be written. */
  public static final class EarlyRelease {

    private EarlyRelease() {}

    static void complete(@Argument(0) Object completion, @SuperCall Runnable original) {
      if (((Completion) completion).outcome().isEnd()) {
        ((Completion) completion).delivery().hold().tried();
      }
      original.run();
    }
  }

  /** Ends a try, and then makes it. */
  public static final class EarlyCompletion {

    private EarlyCompletion() {}

    static void deliver(
        @Argument(0) Object event,
        @Argument(1) EventListener listener,
        @FieldValue("starter") Object starter,
        @FieldValue("concluder") Object concluder,
        @FieldValue("caller") Object caller) {
      Delivery delivery = (Delivery) event;
      Attempt attempt = ((Starter) starter).start(delivery);
      if (attempt != null) {
        ((Concluder) concluder).conclude(attempt, null);
        EventEnvelope envelope = delivery.envelope(); // a lambda's parameters are loaded with it
        ((Caller) caller).call(List.of(delivery), () -> listener.onEvent(envelope));
      }
    }
  }
}
