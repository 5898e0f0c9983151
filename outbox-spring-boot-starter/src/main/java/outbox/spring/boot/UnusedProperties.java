package outbox.spring.boot;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import outbox.Outbox;

/** Refuses properties that an {@link Outbox} bean of the application's own makes meaningless. */
record UnusedProperties(
    SingletonBeanRegistry beans,
    ObjectProvider<OutboxFactory> factories,
    OutboxProperties properties,
    Environment environment)
    implements SmartInitializingSingleton {

  private static final String MODE = "outbox.mode";

  @Override
  public void afterSingletonsInstantiated() {
    if (factories.stream().findAny().isEmpty()) {
      Settings.refuseForOwnOutbox(properties);
      refuseMode();
      parts().forEach(this::refuseIfUnused);
    }
  }

  /** It always has a value, so that only the environment knows whether somebody wrote it. */
  private void refuseMode() {
    if (Binder.get(environment).bind(MODE, String.class).isBound()) {
      throw Settings.withoutEffectForOwnOutbox(MODE);
    }
  }

  /** A part that is made when the first bean asks for it, and a property that is about it. */
  private record Part(String bean, String property, @Nullable Object value) {}

  private List<Part> parts() {
    return List.of(
        new Part("outboxStore", "outbox.table", properties.table()),
        new Part("outboxStore", "outbox.schema.initialize", properties.schema().initialize()),
        new Part("outboxChoice", "outbox.data-source", properties.dataSource()),
        new Part(
            "outboxTransactions", "outbox.transaction-manager", properties.transactionManager()));
  }

  private void refuseIfUnused(Part part) {
    if (part.value() != null && !beans.containsSingleton(part.bean())) {
      throw Settings.withoutEffectForOwnOutbox(part.property());
    }
  }
}
