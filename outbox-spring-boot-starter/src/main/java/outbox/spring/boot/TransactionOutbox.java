package outbox.spring.boot;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;
import outbox.Outbox;
import outbox.OutboxWriter;
import outbox.domain.EventMapper;

/** The outbox whose database this thread's transaction runs on. */
final class TransactionOutbox {

  private final SingletonSupplier<List<OutboxWriter>> writers;
  private final ObjectProvider<OutboxWriter> primary;

  TransactionOutbox(ObjectProvider<OutboxWriter> writers, ObjectProvider<Outbox> outboxes) {
    this.writers = SingletonSupplier.of(() -> all(writers, outboxes));
    this.primary = writers;
  }

  /**
   * @throws IllegalStateException if no transaction is active that the event could belong to, or a
   *     read-only one; says what to do
   */
  void write(Object event, EventMapper mapper) {
    try {
      OutboxWriter writer = find();
      writer.txContext().requireTransaction();
      writer.write(mapper.map(event));
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "%s was published but is not written to the outbox: %s"
              .formatted(event.getClass().getName(), e.getMessage()),
          e);
    }
  }

  /** The only one there is can say best itself what is wrong with the transaction. */
  private OutboxWriter find() {
    List<OutboxWriter> all = writers.obtain();
    List<OutboxWriter> active =
        all.size() == 1
            ? all
            : all.stream().filter(each -> each.txContext().isTransactionActive()).toList();
    return switch (active.size()) {
      case 0 ->
          throw new IllegalStateException(
              "no transaction is active on this thread that is one of the %d outboxes'; publish it inside a @Transactional method, and with the transaction manager of the DataSource that has its outbox"
                  .formatted(all.size()));
      case 1 -> active.get(0);
      default -> preferred(active);
    };
  }

  private OutboxWriter preferred(List<OutboxWriter> active) {
    @Nullable OutboxWriter preferred = primary.getIfUnique();
    if (preferred == null || !active.contains(preferred)) {
      throw new IllegalStateException(
          "%d outboxes share the transaction on this thread, so it can't be told which one is meant; mark one of the beans @Primary, or write with the other's OutboxWriter"
              .formatted(active.size()));
    }
    return preferred;
  }

  private static List<OutboxWriter> all(
      ObjectProvider<OutboxWriter> writers, ObjectProvider<Outbox> outboxes) {
    return Stream.concat(writers.orderedStream(), outboxes.orderedStream().map(Outbox::writer))
        .distinct()
        .toList();
  }
}
