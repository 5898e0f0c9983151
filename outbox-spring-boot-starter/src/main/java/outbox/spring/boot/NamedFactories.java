package outbox.spring.boot;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.TableName;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventPurger;
import outbox.spi.Notifications;
import outbox.spi.OutboxStore;
import outbox.spi.TxContext;

/**
 * Makes each of several outboxes of its properties. A bean of the application's own that is
 * qualified by the name of one of them takes part in that one.
 */
final class NamedFactories {

  private final ListableBeanFactory beans;
  private final AllSettings settings;
  private final ListenerRegistry listeners;
  private final OutboxFactory.Extras extras;
  private final Map<Place, String> taken = new HashMap<>();

  private record Place(DataSource dataSource, TableName table) {}

  NamedFactories(
      ListableBeanFactory beans,
      AllSettings settings,
      ListenerRegistry listeners,
      OutboxFactory.Extras extras) {
    this.beans = beans;
    this.settings = settings;
    this.listeners = listeners;
    this.extras = extras;
  }

  OutboxFactory make(String name) {
    Settings of = settings.of(name);
    Choice choice = new Choice(beans, of);
    DataSource dataSource = choice.dataSource();
    of.tables().forEach(table -> take(new Place(dataSource, table), name));
    Tables tables = new Tables(dataSource, of);
    return new OutboxFactory(
        of,
        tables,
        new OutboxFactory.Parts(
            part(OutboxStore.class, name, tables::store),
            part(
                ConnectionProvider.class, name, () -> new DataSourceConnectionProvider(dataSource)),
            part(TxContext.class, name, choice::transactions),
            listeners instanceof Routes routes ? routes.of(name) : listeners,
            own(EventPurger.class, name),
            own(Notifications.class, name)),
        extras);
  }

  private synchronized void take(Place place, String name) {
    String other = taken.putIfAbsent(place, name);
    if (other != null && !other.equals(name)) {
      throw new RefusedException(
          "The outboxes %s and %s have the same table, %s of the same DataSource."
              .formatted(other, name, place.table()),
          "Set %stable, or %sdata-source, to another one."
              .formatted(Settings.prefix(name), Settings.prefix(name)));
    }
  }

  private <T> T part(Class<T> type, String name, Supplier<T> byDefault) {
    @Nullable T own = own(type, name);
    return own == null ? byDefault.get() : own;
  }

  private <T> @Nullable T own(Class<T> type, String name) {
    @Nullable T own = null;
    for (String bean : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type)) {
      if (isFor(name, bean)) {
        own = beans.getBean(bean, type);
      } else if (settings.names().stream().noneMatch(each -> isFor(each, bean))) {
        throw new RefusedException(
            "There are several outboxes, %s, so it can't be told which of them the %s bean %s is for."
                .formatted(settings.names(), type.getSimpleName(), bean),
            "Annotate it with the name of one, as in @Qualifier(\"%s\").".formatted(name));
      }
    }
    return own;
  }

  private boolean isFor(String outbox, String bean) {
    return BeanFactoryAnnotationUtils.isQualifierMatch(outbox::equals, bean, beans);
  }
}
