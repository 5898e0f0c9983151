package outbox.samples.demo;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import outbox.samples.demo.story.Monitor;
import outbox.samples.demo.view.View;
import outbox.util.DaemonThreadFactory;

/** Shows the view what the monitor sees, at the view's pace. */
final class Refresh implements AutoCloseable {

  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreadFactory("refresh-"));
  private final Monitor monitor;
  private final View view;
  private final Future<?> shown;

  Refresh(Monitor monitor, View view) {
    this.monitor = monitor;
    this.view = view;
    shown =
        scheduler.scheduleAtFixedRate(this::show, 0, view.pace().toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Stops; throws what kept it from showing anything. */
  void finish() throws InterruptedException, ExecutionException {
    scheduler.shutdown();
    scheduler.awaitTermination(5, TimeUnit.SECONDS);
    if (!shown.isCancelled()) {
      shown.get();
    }
  }

  private void show() {
    view.show(monitor.snapshot());
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }
}
