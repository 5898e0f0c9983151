package outbox.spring.boot;

import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.BeanNotOfRequiredTypeException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import outbox.spi.TxContext;
import outbox.spring.SpringTxContext;

/** Picks the application's DataSource and its transaction manager; refuses to guess. */
final class Choice {

  private final ListableBeanFactory beans;
  private final Settings settings;

  Choice(ListableBeanFactory beans, Settings settings) {
    this.beans = beans;
    this.settings = settings;
  }

  /** The one that is named, or the only or primary one. */
  DataSource dataSource() {
    String name = settings.properties().dataSource();
    if (name != null) {
      return named(settings.property("data-source"), name, DataSource.class);
    }
    DataSource only = beans.getBeanProvider(DataSource.class).getIfUnique();
    if (only != null) {
      return only;
    }
    List<String> names = names(DataSource.class);
    if (names.isEmpty()) {
      throw new RefusedException(
          "The outbox needs a database, but there is no DataSource bean.",
          "Add a JDBC driver and set spring.datasource.url, or define a DataSource bean. An"
              + " application that needs no outbox sets outbox.enabled=false.");
    }
    throw new RefusedException(
        "There are several DataSource beans, %s, and none is @Primary, so it can't be told which one has the outbox."
            .formatted(names),
        "Set %1$s to the name of the one that has the table, such as %1$s=%2$s."
            .formatted(settings.property("data-source"), names.get(0)));
  }

  /**
   * The one that is named, or the one of the DataSource, or the only or primary one; null if there
   * is none, or if all that could be meant belong to other DataSources.
   */
  private @Nullable PlatformTransactionManager transactionManager(DataSource dataSource) {
    String name = settings.properties().transactionManager();
    if (name != null) {
      return ofDataSource(name, dataSource);
    }
    List<PlatformTransactionManager> own = new ArrayList<>();
    beans.getBeanProvider(PlatformTransactionManager.class).stream()
        .filter(manager -> resource(manager) == target(dataSource))
        .forEach(own::add);
    if (own.size() == 1) {
      return own.get(0);
    }
    PlatformTransactionManager only =
        beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
    boolean isOfAnother = only != null && isOfAnother(only, dataSource);
    return isOfAnother ? null : only;
  }

  private PlatformTransactionManager ofDataSource(String name, DataSource dataSource) {
    String property = settings.property("transaction-manager");
    PlatformTransactionManager manager = named(property, name, PlatformTransactionManager.class);
    if (isOfAnother(manager, dataSource)) {
      throw new RefusedException(
          "%s is %s, whose transactions are not those of the DataSource that has the outbox, so that no event could be written."
              .formatted(property, name),
          "Set %s to the DataSource of that transaction manager, or remove %s to have the one of the DataSource."
              .formatted(settings.property("data-source"), property));
    }
    return manager;
  }

  /** Not of one that doesn't say. */
  private static boolean isOfAnother(PlatformTransactionManager manager, DataSource dataSource) {
    return resource(manager) instanceof DataSource other && other != target(dataSource);
  }

  /** Those of the DataSource, as the manager begins and ends them. */
  TxContext transactions() {
    DataSource dataSource = dataSource();
    return transactionManager(dataSource) instanceof ConfigurableTransactionManager manager
        ? new SpringTxContext(dataSource, manager)
        : new SpringTxContext(dataSource);
  }

  /** That of the DataSource, or one of our own if the application has none for it. */
  PlatformTransactionManager manager() {
    DataSource dataSource = dataSource();
    PlatformTransactionManager manager = transactionManager(dataSource);
    return manager == null ? new DataSourceTransactionManager(dataSource) : manager;
  }

  private static @Nullable Object resource(PlatformTransactionManager manager) {
    Object resource =
        manager instanceof ResourceTransactionManager of ? of.getResourceFactory() : null;
    return resource instanceof DataSource dataSource ? target(dataSource) : resource;
  }

  /** Spring's proxies count as what they wrap, as they do for {@link SpringTxContext}. */
  private static Object target(DataSource dataSource) {
    Object target = TransactionSynchronizationUtils.unwrapResourceIfNecessary(dataSource);
    return target instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null
        ? target(proxy.getTargetDataSource())
        : target;
  }

  private <T> T named(String property, String name, Class<T> type) {
    try {
      return beans.getBean(name, type);
    } catch (NoSuchBeanDefinitionException | BeanNotOfRequiredTypeException e) {
      throw new RefusedException(
          "%s is %s, but there is no %s bean of that name."
              .formatted(property, name, type.getSimpleName()),
          "Set it to one of " + names(type) + ".",
          e);
    }
  }

  private List<String> names(Class<?> type) {
    return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type));
  }
}
