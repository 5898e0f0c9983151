package outbox.samples.demo.view;

import java.time.Duration;
import outbox.samples.demo.story.Snapshot;

/** Shows a run while it goes on. */
public interface View extends AutoCloseable {

  /** How often it wants to be shown something new. */
  Duration pace();

  void show(Snapshot now);

  /** Tells how it ended. */
  void end(Snapshot last, Summary summary);

  /** Leaves the terminal as it was. */
  @Override
  void close();
}
