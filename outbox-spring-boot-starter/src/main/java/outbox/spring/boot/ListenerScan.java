package outbox.spring.boot;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import outbox.EventListener;
import outbox.Outbox;
import outbox.domain.EventClasses;
import outbox.spring.boot.Routes.Route;

/**
 * Finds every {@link OutboxListener} of this context once all beans are there, before its outboxes
 * deliver anything.
 */
final class ListenerScan implements SmartInitializingSingleton {

  private final ConfigurableListableBeanFactory beans;
  private final AllSettings settings;
  private final EventClasses events;
  private final @Nullable PayloadReader reader;
  private final Map<Route, Found> found = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  private record Found(String place, EventListener listener) {}

  /**
   * @param reader null if nothing can read JSON
   */
  ListenerScan(
      ConfigurableListableBeanFactory beans,
      AllSettings settings,
      EventClasses events,
      @Nullable PayloadReader reader) {
    this.beans = beans;
    this.settings = settings;
    this.events = events;
    this.reader = reader;
  }

  @Override
  public void afterSingletonsInstantiated() {
    found.clear();
    problems.clear();
    for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
      Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : type(name);
      if (type != null && AnnotationUtils.isCandidateClass(type, OutboxListener.class)) {
        scan(name, type);
      }
    }
    if (!problems.isEmpty()) {
      throw new RefusedException(
          problems.stream().collect(Collectors.joining("\n- ", "@OutboxListener:\n- ", "")),
          "Correct the listeners named above.");
    }
    if (!has(Routes.class)) {
      refuseForOwnRegistry();
    } else if (has(Outbox.class)) {
      fill(beans.getBean(Routes.class));
    } else {
      refuseForOutboxOfParent();
    }
  }

  /** Here, and not in a parent of this context. */
  private boolean has(Class<?> type) {
    return beans.getBeanNamesForType(type, true, false).length > 0;
  }

  private void fill(Routes to) {
    Map<Route, EventListener> listeners = new LinkedHashMap<>();
    found.forEach((route, each) -> listeners.put(route, each.listener()));
    to.set(listeners);
    if (has(OutboxFactory.class)) {
      settings.all().stream()
          .filter(each -> !each.relayed().isEmpty())
          .filter(each -> to.of(each.name()).eventTypes().orElseThrow().isEmpty())
          .findFirst()
          .ifPresent(ListenerScan::refuseWithoutListener);
    }
  }

  private static void refuseWithoutListener(Settings outbox) {
    throw new RefusedException(
        "The outbox %sis to deliver events, but there is no listener, so that every event would be DEAD."
            .formatted(outbox.name().isEmpty() ? "" : outbox.name() + " "),
        "Annotate a method with @OutboxListener, or define a ListenerRegistry bean. An application whose events others deliver sets %s=writer-only."
            .formatted(outbox.property("mode")));
  }

  private void refuseForOwnRegistry() {
    if (!found.isEmpty()) {
      throw new RefusedException(
          "%s has no effect, because the application has a ListenerRegistry bean of its own."
              .formatted(found.values().iterator().next().place()),
          "Remove the bean and annotate every listener, or register every listener there.");
    }
  }

  private void refuseForOutboxOfParent() {
    if (!found.isEmpty()) {
      throw new RefusedException(
          "%s would get nothing: the outbox is a bean of a parent context, which delivers events before the beans of this one are there."
              .formatted(found.values().iterator().next().place()),
          "Make the listener a bean of the context that has the outbox; or set outbox.enabled=false"
              + " for that one and outbox.enabled=true for this, so that this one has it.");
    }
  }

  private @Nullable Class<?> type(String bean) {
    try {
      return AutoProxyUtils.determineTargetClass(beans, bean);
    } catch (RuntimeException | LinkageError unresolvable) {
      return null; // not a class of this application's, as Spring's own scans assume
    }
  }

  private void scan(String bean, Class<?> type) {
    if (isListener(type)) {
      String place = "class %s (bean %s)".formatted(type.getName(), bean);
      add(type, place, () -> beanListener(bean, type));
    }
    for (Method method : MethodIntrospector.selectMethods(type, ListenerScan::isListener)) {
      String place = place(bean, type, method);
      add(method, place, () -> methodListener(bean, type, method, place));
    }
  }

  private static boolean isListener(AnnotatedElement element) {
    return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY)
        .isPresent(OutboxListener.class);
  }

  private interface Listener {
    EventListener make();
  }

  private void add(AnnotatedElement element, String place, Listener listener) {
    try {
      List<Subscription> subscriptions =
          Subscription.of(
              element, events, text -> String.valueOf(beans.resolveEmbeddedValue(text)));
      Found made = new Found(place, listener.make());
      for (Subscription subscription : subscriptions) {
        check(subscription);
        subscription.routes().forEach(route -> add(route, made));
      }
    } catch (IllegalArgumentException | IllegalStateException e) {
      problems.add(place + ": " + e.getMessage());
    }
  }

  private void check(Subscription subscription) {
    List<Settings> from =
        settings.all().stream()
            .filter(
                each -> subscription.outbox() == null || subscription.outbox().equals(each.name()))
            .toList();
    if (from.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no outbox %s, only %s; name one below outbox.outboxes, or leave it out"
              .formatted(subscription.outbox(), settings.names()));
    }
    if (subscription.ordered()) {
      requireOrder(from);
    }
  }

  /** The settings say nothing about outboxes that the application makes itself. */
  private void requireOrder(List<Settings> from) {
    if (!has(OutboxFactory.class)) {
      if (beans.getBeansOfType(Outbox.class).values().stream().noneMatch(WatchedTable::isOrdered)) {
        throw new IllegalArgumentException(
            "it relies on the order of events, which only Outbox.ordered() keeps");
      }
    } else if (from.stream().anyMatch(each -> each.kind() != Kind.ORDERED)) {
      throw new IllegalArgumentException(
          "it relies on the order of events, which is kept with outbox.mode=ordered only");
    }
  }

  private void add(Route route, Found listener) {
    Found other = found.putIfAbsent(route, listener);
    if (other != null) {
      problems.add(
          "%s has two listeners, and one is possible: %s, and %s"
              .formatted(route, other.place(), listener.place()));
    }
  }

  private EventListener beanListener(String bean, Class<?> type) {
    if (!EventListener.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(
          "a class with the annotation must implement outbox.EventListener; otherwise annotate its"
              + " methods");
    }
    return beans.getBean(bean, EventListener.class);
  }

  private EventListener methodListener(String bean, Class<?> type, Method method, String place) {
    if (Modifier.isStatic(method.getModifiers())) {
      throw new IllegalArgumentException("the method must not be static");
    }
    Class<?> result = method.getReturnType();
    if (result != void.class && !CompletionStage.class.isAssignableFrom(result)) {
      throw new IllegalArgumentException(
          "it must return nothing or a CompletionStage, got: "
              + method.getGenericReturnType().getTypeName());
    }
    if (result == void.class && isAsync(method, type)) {
      throw new IllegalArgumentException(
          "with @Async it must return a CompletableFuture, or its events would count as delivered"
              + " before they are");
    }
    Method invocable = invocable(method, beans.getType(bean));
    invocable.trySetAccessible();
    return new ListenerMethod(
            () -> beans.getBean(bean), invocable, Argument.all(method, type, reader), place)
        .listener();
  }

  /** What a proxy has instead of the method, and only if the proxy would get the call. */
  private static Method invocable(Method method, @Nullable Class<?> proxy) {
    if (proxy == null) {
      return method;
    }
    if (Modifier.isFinal(method.getModifiers())
        && proxy != method.getDeclaringClass()
        && proxy.getName().contains(ClassUtils.CGLIB_CLASS_SEPARATOR)) {
      throw new IllegalArgumentException(
          "the method must not be final, because a proxy (of @Transactional, for example) can't"
              + " pass the call on");
    }
    return AopUtils.selectInvocableMethod(method, proxy);
  }

  private static boolean isAsync(Method method, Class<?> type) {
    return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(Async.class)
        || MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(Async.class);
  }

  private static String place(String bean, Class<?> type, Method method) {
    String parameters =
        Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", "));
    return "%s.%s(%s) (bean %s)".formatted(type.getName(), method.getName(), parameters, bean);
  }
}
