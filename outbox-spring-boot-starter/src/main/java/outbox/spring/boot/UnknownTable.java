package outbox.spring.boot;

import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import outbox.EventEnvelope;
import outbox.WriterHook;

/**
 * An application that only delivers, from several tables, need not say which one it would write to.
 * One that writes must: whoever has the writer injected is refused at the start, whoever gets it in
 * another way when it writes.
 */
record UnknownTable(ConfigurableBeanFactory beans, AllSettings settings)
    implements SmartInitializingSingleton {

  @Override
  public void afterSingletonsInstantiated() {
    settings.all().stream()
        .filter(each -> !each.writes() && isInjected(writer(each.name())))
        .findFirst()
        .ifPresent(
            each -> {
              throw each.unwritten();
            });
  }

  private boolean isInjected(String bean) {
    return beans.getDependentBeans(bean).length > 0;
  }

  private static String writer(String outbox) {
    return outbox.isEmpty() ? "outboxWriter" : outbox + "OutboxWriter";
  }

  /** Lets nothing through. */
  record Refusing(Settings settings) implements WriterHook {

    @Override
    public List<EventEnvelope> beforeWrite(List<EventEnvelope> events) {
      throw settings.unwritten();
    }
  }
}
