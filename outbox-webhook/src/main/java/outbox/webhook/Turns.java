package outbox.webhook;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Lets a number of tasks run at once for each name, and the others wait, first come, first served.
 */
final class Turns {

  private final int most;
  private final Executor threads;
  private final Map<String, Line> lines = new HashMap<>();

  Turns(int most, Executor threads) {
    this.most = most;
    this.threads = threads;
  }

  /** Runs the task, now or when its turn comes; it ends with {@link #leave}. */
  void enter(String name, Runnable task) {
    synchronized (this) {
      Line line = lines.computeIfAbsent(name, any -> new Line());
      if (line.running == most) {
        line.waiting.add(task);
        return;
      }
      line.running++;
    }
    task.run();
  }

  /** The next one starts on another thread, or a long line would be a deep stack. */
  void leave(String name) {
    @Nullable Runnable next;
    synchronized (this) {
      Line line = Objects.requireNonNull(lines.get(name));
      next = line.waiting.poll();
      if (next == null && --line.running == 0) {
        lines.remove(name);
      }
    }
    if (next != null) {
      threads.execute(next);
    }
  }

  private static final class Line {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;
  }
}
