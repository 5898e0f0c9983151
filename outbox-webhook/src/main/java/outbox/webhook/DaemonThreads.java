package outbox.webhook;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that keep no application from ending. */
final class DaemonThreads implements ThreadFactory {

  private final String name;
  private final AtomicLong numbers = new AtomicLong();

  DaemonThreads(String name) {
    this.name = name;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(task, name + '-' + numbers.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
