package outbox.faults.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What can be changed while processes run: small files, which they look at now and then. */
public final class Switches {

  /** A {@link Behaviour} for all events that have none by their key. */
  public static final String BEHAVIOUR = "behaviour";

  /** How far the clocks of nodes are off, as a {@link java.time.Duration}. */
  public static final String CLOCK = "clock";

  /** The node whose application keeps all connections of its pool to itself; nobody's if empty. */
  public static final String HOARD = "hoard";

  private static final long GLANCE_NANOS = 10_000_000;

  private final Path folder;
  private final Map<String, Glance> glances = new ConcurrentHashMap<>();

  private record Glance(long nanos, String value) {}

  public Switches(Path folder) {
    this.folder = folder;
  }

  /** The same for one node, in addition. */
  public static String clockOf(String node) {
    return CLOCK + "-" + node;
  }

  public void set(String name, String value) {
    try {
      Path written = Files.createTempFile(folder, name, ".tmp");
      Files.writeString(written, value);
      Files.move(written, file(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** At most some milliseconds old. */
  String value(String name, String otherwise) {
    long now = System.nanoTime();
    Glance last = glances.get(name);
    if (last == null || now - last.nanos() > GLANCE_NANOS) {
      last = new Glance(now, read(name, otherwise));
      glances.put(name, last);
    }
    return last.value();
  }

  private String read(String name, String otherwise) {
    try {
      return Files.readString(file(name));
    } catch (NoSuchFileException e) {
      return otherwise;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(String name) {
    return folder.resolve(name + ".switch");
  }
}
