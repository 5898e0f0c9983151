package outbox.spring.boot;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import outbox.AsyncEventListener;
import outbox.EventEnvelope;
import outbox.EventListener;

/** Calls one method of a bean, through whatever proxy the bean has. */
record ListenerMethod(
    Supplier<Object> bean, Method method, List<Argument> arguments, String place) {

  EventListener listener() {
    return CompletionStage.class.isAssignableFrom(method.getReturnType())
        ? new Asynchronous(this)
        : new Synchronous(this);
  }

  private @Nullable Object invoke(EventEnvelope event) throws Exception {
    @Nullable Object[] values = new Object[arguments.size()];
    for (int index = 0; index < values.length; index++) {
      values[index] = arguments.get(index).of(event);
    }
    try {
      return method.invoke(bean.get(), values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof Exception failure ? failure : e;
    }
  }

  private record Synchronous(ListenerMethod of) implements EventListener {

    @Override
    public void onEvent(EventEnvelope event) throws Exception {
      of.invoke(event);
    }

    @Override
    public String toString() {
      return of.place;
    }
  }

  private record Asynchronous(ListenerMethod of) implements AsyncEventListener {

    @Override
    @SuppressWarnings("NullAway") // a stage that is null fails the event, as its contract says
    public CompletionStage<?> onEventAsync(EventEnvelope event) throws Exception {
      return (CompletionStage<?>) of.invoke(event);
    }

    @Override
    public String toString() {
      return of.place;
    }
  }
}
