package outbox.spring.boot;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import outbox.dispatch.ErrorRedactor;
import outbox.dispatch.EventInterceptor;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.RetryPolicy;

/**
 * Sets a dispatcher up from properties and beans, and lets the application's own have the last
 * word.
 */
record DispatcherSetup(
    Environment environment,
    ObjectProvider<RetryPolicy> retryPolicy,
    ObjectProvider<ErrorRedactor> errorRedactor,
    ObjectProvider<EventInterceptor> interceptors,
    ObjectProvider<OutboxDispatcherCustomizer> customizers) {

  private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

  OutboxDispatcher.Builder apply(
      OutboxDispatcher.Builder builder, OutboxProperties.Each properties) {
    OutboxProperties.Relay relay = properties.relay();
    set(relay.maxAttempts(), builder::maxAttempts);
    set(relay.dispatchTimeout(), builder::dispatchTimeout);
    set(relay.workers(), builder::workerCount);
    set(relay.unroutable(), builder::unroutable);
    set(relay.completion(), builder::completion);
    set(relay.drainTimeout(), timeout -> builder.drainTimeoutMs(timeout.toMillis()));
    if (wantsVirtualThreads(environment, Runtime.version().feature())) {
      builder.workerThreads(
          new VirtualThreadTaskExecutor("outbox-worker-").getVirtualThreadFactory());
    }
    retryPolicy.ifAvailable(builder::retryPolicy);
    interceptors.orderedStream().forEach(builder::interceptor);
    redact(builder, properties.lastErrorMaxBytes());
    OutboxDispatcher.Builder customized = builder;
    for (OutboxDispatcherCustomizer customizer : customizers.orderedStream().toList()) {
      customized = customizer.customize(customized);
    }
    return customized;
  }

  /** As Spring Boot has it: the property has no effect before Java 21. */
  static boolean wantsVirtualThreads(Environment environment, int java) {
    return java >= FIRST_WITH_VIRTUAL_THREADS
        && environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false);
  }

  private void redact(OutboxDispatcher.Builder builder, @Nullable Integer most) {
    ErrorRedactor redactor = errorRedactor.getIfAvailable(ErrorRedactor::withoutPayload);
    builder.errorRedactor(most == null ? redactor : new ShortErrors(redactor, most));
    set(most, builder::lastErrorMaxLength);
  }

  private static <T> void set(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }
}
