package outbox.benchmarks.contender;

/** The listener of all contenders: does nothing but take notice. */
@FunctionalInterface
public interface EventSink {
  void delivered(long id);
}
