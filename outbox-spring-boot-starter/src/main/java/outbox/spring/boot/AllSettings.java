package outbox.spring.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;
import outbox.spring.boot.OutboxProperties.Each;

/**
 * The settings of every outbox that the properties describe: the only one, or several that have
 * names.
 */
record AllSettings(List<Settings> all) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9-]*");

  AllSettings {
    all = List.copyOf(all);
  }

  /** Names and what each has for itself; none if there is but one outbox. */
  static Map<String, Each> named(Environment environment) {
    return Binder.get(environment)
        .bind("outbox.outboxes", Bindable.mapOf(String.class, Each.class))
        .orElse(Map.of());
  }

  /**
   * @throws RefusedException if a property that is set would have no effect
   */
  static AllSettings of(OutboxProperties properties, Environment environment) {
    Each shared = properties.each();
    if (properties.outboxes().isEmpty()) {
      return new AllSettings(List.of(Settings.of(shared)));
    }
    List<Settings> all = new ArrayList<>();
    properties
        .outboxes()
        .forEach(
            (name, own) -> {
              check(name, own, shared);
              Settings settings = Settings.of(name, inherited(name, environment));
              Settings.refuseWithoutEffect(own, Settings.prefix(name), List.of(settings));
              all.add(settings);
            });
    Settings.refuseWithoutEffect(shared, "outbox.", all);
    refuseTwoPrimary(all);
    return new AllSettings(all);
  }

  /** Of one of several outboxes. */
  Settings of(String name) {
    return all.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  List<String> names() {
    return all.stream().map(Settings::name).toList();
  }

  /** Property by property: its own comes first. */
  private static Each inherited(String name, Environment environment) {
    String own = Settings.prefix(name.toLowerCase(Locale.ROOT));
    List<ConfigurationPropertySource> sources = new ArrayList<>();
    for (String prefix : List.of(own.substring(0, own.length() - 1), "outbox")) {
      ConfigurationPropertySources.get(environment)
          .forEach(source -> sources.add(source.withPrefix(prefix)));
    }
    return new Binder(sources, new PropertySourcesPlaceholdersResolver(environment))
        .bindOrCreate("", Bindable.of(Each.class));
  }

  private static void check(String name, Each own, Each shared) {
    if (!NAME.matcher(name).matches()) {
      throw new RefusedException(
          "outbox.outboxes has an outbox named %s.".formatted(name),
          "Name it with letters, digits and dashes, beginning with a letter.");
    }
    if (own.dataSource() != null
        && own.transactionManager() == null
        && shared.transactionManager() != null) {
      throw new RefusedException(
          "outbox.transaction-manager is set, but outbox %s has a DataSource of its own."
              .formatted(name),
          "Move it to the outboxes that it is meant for: %stransaction-manager=%s."
              .formatted(Settings.prefix(name), shared.transactionManager()));
    }
  }

  private static void refuseTwoPrimary(List<Settings> all) {
    List<String> primary =
        all.stream()
            .filter(each -> each.properties().primary())
            .map(each -> each.property("primary"))
            .toList();
    if (primary.size() > 1) {
      throw new RefusedException(
          "%s are set, and one outbox can be primary.".formatted(String.join(" and ", primary)),
          "Remove all but one.");
    }
  }
}
