package outbox.spring.boot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import outbox.Outbox;
import outbox.OutboxStatus;

/**
 * Every {@link Outbox} bean, and the tables of each, whoever made it; those of parent contexts too,
 * because a child may be the only one that has a web server.
 */
record WatchedOutboxes(ListableBeanFactory beans) {

  /** What this process has in hand of each. */
  List<Map<String, Object>> shown() {
    List<Map<String, Object>> shown = new ArrayList<>();
    all().forEach((bean, outbox) -> shown.add(shown(bean, outbox)));
    return shown;
  }

  /** By the names of the beans. */
  Map<String, Outbox> all() {
    return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, Outbox.class);
  }

  List<WatchedTable> tables() {
    return tables(all());
  }

  /** Without those of parent contexts. */
  List<WatchedTable> tablesOfThisContext() {
    return tables(beans.getBeansOfType(Outbox.class));
  }

  private List<WatchedTable> tables(Map<String, Outbox> outboxes) {
    List<WatchedTable> tables = new ArrayList<>();
    outboxes.forEach(
        (bean, outbox) ->
            maker(outbox)
                .ifPresentOrElse(
                    maker -> tables.addAll(maker.watched()),
                    () -> tables.add(WatchedTable.of(bean, outbox))));
    return tables;
  }

  private Map<String, Object> shown(String bean, Outbox outbox) {
    OutboxStatus status = outbox.status();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("outbox", bean);
    maker(outbox).ifPresent(maker -> shown.put("mode", maker.settings().kind().name()));
    shown.put("state", status.state());
    shown.put("hotQueued", status.hotQueued());
    shown.put("coldQueued", status.coldQueued());
    shown.put("inFlight", status.inFlight());
    return shown;
  }

  /** Empty if the application made it itself. */
  private Optional<OutboxFactory> maker(Outbox outbox) {
    return BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, OutboxFactory.class)
        .values()
        .stream()
        .filter(factory -> factory.made(outbox))
        .findFirst();
  }
}
