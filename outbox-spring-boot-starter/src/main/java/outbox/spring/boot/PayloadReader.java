package outbox.spring.boot;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/**
 * Makes of an event's payload what the parameter of an {@link OutboxListener} method asks for. One
 * bean of this type replaces Jackson. Must be safe for all threads.
 */
@FunctionalInterface
public interface PayloadReader {

  /**
   * An exception fails this try like one of the listener's; for a payload that can never be read,
   * throw {@link outbox.NonRetryableException}. Its message is stored and logged, so it must not
   * quote the payload.
   */
  @Nullable Object read(EventEnvelope event, Type type) throws Exception;
}
