package outbox.spring.boot;

import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import outbox.domain.EventClasses;
import outbox.domain.OutboxEvent;

/** Finds every {@link OutboxEvent} that can't work at the start, not with the first such event. */
final class EventClassScan implements SmartInitializingSingleton {

  private final ApplicationContext context;
  private final EventClasses classes;

  EventClassScan(ApplicationContext context, EventClasses classes) {
    this.context = context;
    this.classes = classes;
  }

  @Override
  public void afterSingletonsInstantiated() {
    if (!AutoConfigurationPackages.has(context)) {
      return; // nobody knows where the application is
    }
    List<String> problems = new ArrayList<>();
    Candidates candidates = new Candidates(context);
    for (String root : AutoConfigurationPackages.get(context)) {
      candidates.findCandidateComponents(root).forEach(each -> check(each, problems));
    }
    if (!problems.isEmpty()) {
      throw new RefusedException(
          "@OutboxEvent:\n- " + String.join("\n- ", problems), "Correct the events named above.");
    }
  }

  private void check(BeanDefinition candidate, List<String> problems) {
    try {
      classes.eventType(
          ClassUtils.forName(
              String.valueOf(candidate.getBeanClassName()), context.getClassLoader()));
    } catch (IllegalArgumentException e) {
      problems.add(e.getMessage());
    } catch (ClassNotFoundException | LinkageError unresolvable) {
      // not a class of this application's, as Spring's own scans assume
    }
  }

  /** Classes that have objects; the scan of components has read them all, so this costs little. */
  private static final class Candidates extends ClassPathScanningCandidateComponentProvider {

    Candidates(ApplicationContext context) {
      super(false, context.getEnvironment());
      setResourceLoader(context);
      addIncludeFilter(new AnnotationTypeFilter(OutboxEvent.class, true, true));
    }

    @Override
    protected boolean isCandidateComponent(AnnotatedBeanDefinition definition) {
      AnnotationMetadata type = definition.getMetadata();
      return type.isConcrete() && type.isIndependent();
    }
  }
}
