package outbox.benchmarks.contender;

/** A sink for listeners that exist before anyone wants to hear of them. */
final class LateSink implements EventSink {

  private volatile EventSink sink = id -> {};

  void set(EventSink newSink) {
    sink = newSink;
  }

  @Override
  public void delivered(long id) {
    sink.delivered(id);
  }
}
