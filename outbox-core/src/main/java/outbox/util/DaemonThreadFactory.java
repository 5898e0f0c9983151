package outbox.util;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes daemon threads named prefix + 1, 2, 3 …, so that a thread dump tells whose they are. */
public final class DaemonThreadFactory implements ThreadFactory {

  private final String prefix;
  private final AtomicInteger count = new AtomicInteger();

  public DaemonThreadFactory(String prefix) {
    this.prefix = Objects.requireNonNull(prefix, "prefix must not be null");
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, prefix + count.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
