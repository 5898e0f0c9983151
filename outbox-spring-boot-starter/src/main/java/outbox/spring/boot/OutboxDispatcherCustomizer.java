package outbox.spring.boot;

import outbox.dispatch.OutboxDispatcher;

/**
 * Sets what there is no property for. Every bean of this type is applied, after the properties, in
 * the order of the beans. Has no effect where nothing is delivered.
 */
@FunctionalInterface
public interface OutboxDispatcherCustomizer {

  OutboxDispatcher.Builder customize(OutboxDispatcher.Builder builder);
}
