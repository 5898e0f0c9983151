package outbox.spring.boot;

import java.util.function.Supplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.AnnotationMetadata;
import outbox.Outbox;
import outbox.OutboxWriter;
import outbox.dead.DeadEventManager;
import outbox.spring.boot.OutboxProperties.Each;

/**
 * Registers the beans of each outbox that has a name: its {@link Outbox}, {@link OutboxWriter} and
 * {@link DeadEventManager}, all qualified by it.
 */
record NamedOutboxes(Environment environment, BeanFactory beans)
    implements ImportBeanDefinitionRegistrar {

  /** There is but one outbox, which needs no name. */
  static final class None implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return AllSettings.named(context.getEnvironment()).isEmpty();
    }
  }

  /** There are outboxes with names. */
  static final class Any implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return !AllSettings.named(context.getEnvironment()).isEmpty();
    }
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    AllSettings.named(environment)
        .forEach((name, properties) -> new Registration(registry, name, properties).all(beans));
  }

  private record Registration(BeanDefinitionRegistry registry, String name, Each properties) {

    void all(BeanFactory beans) {
      String factory = name + "OutboxFactory";
      String outbox = name + "Outbox";
      add(factory, OutboxFactory.class, () -> beans.getBean(NamedFactories.class).make(name));
      add(outbox, Outbox.class, () -> beans.getBean(factory, OutboxFactory.class).written());
      add(
          outbox + "Writer",
          OutboxWriter.class,
          () -> beans.getBean(outbox, Outbox.class).writer());
      add(
          name + "DeadEvents",
          DeadEventManager.class,
          () -> beans.getBean(outbox, Outbox.class).dead());
    }

    /** Steps back for a bean of that name. */
    private <T> void add(String bean, Class<T> type, Supplier<T> instance) {
      if (!registry.containsBeanDefinition(bean)) {
        RootBeanDefinition definition = new RootBeanDefinition(type, instance);
        definition.setPrimary(properties.primary());
        definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
        registry.registerBeanDefinition(bean, definition);
      }
    }
  }
}
