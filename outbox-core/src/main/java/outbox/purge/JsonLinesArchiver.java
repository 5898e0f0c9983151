package outbox.purge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import outbox.internal.Require;
import outbox.model.EventDetails;
import outbox.spi.EventArchiver;
import outbox.util.Nullable;

/**
 * Appends purged events to compressed files in a folder, one line of JSON each, and returns when
 * they are on the disk.
 *
 * <p>A file is named by the day it was begun (UTC), by this archiver, and by a number: {@code
 * outbox-2030-01-02-3f9c2a71-1.jsonl.gz}. A new one begins with the day, with the process, and when
 * the last has reached its size, so any number of nodes may share a folder. {@code zcat} reads all
 * of them, {@code jq} the lines.
 *
 * <p>A crash or a full disk can leave the end of a file half-written. Nothing that was acknowledged
 * is in that part, and nothing is ever written behind it: its events are still in the table and
 * come again in another file. So an event may be there twice; its id tells. Safe for all threads.
 *
 * <pre>{@code
 * OutboxPurgeScheduler.builder().archiver(new JsonLinesArchiver(Path.of("/var/outbox")))
 * }</pre>
 */
public final class JsonLinesArchiver implements EventArchiver {

  private static final long DEFAULT_SIZE = 128L * 1024 * 1024;

  private final Path folder;
  private final long maxFileBytes;
  private final Clock clock;
  private final String instance = UUID.randomUUID().toString().substring(0, 8);

  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable ArchiveFile file;
  private @Nullable LocalDate day;
  private int filesBegun;

  /** Files of up to 128 MiB; the folder must exist, so that a missing mount is noticed. */
  public JsonLinesArchiver(Path folder) {
    this(folder, DEFAULT_SIZE, Clock.systemUTC());
  }

  /** The size counts compressed bytes; a file ends with the batch that reaches it. */
  public JsonLinesArchiver(Path folder, long maxFileBytes, Clock clock) {
    this.folder = Objects.requireNonNull(folder, "folder must not be null");
    Require.check(Files.isDirectory(folder), "folder", "an existing directory", folder);
    this.maxFileBytes = Require.atLeast(1L, "maxFileBytes", maxFileBytes);
    this.clock = Objects.requireNonNull(clock, "clock must not be null");
  }

  @Override
  public void archive(List<EventDetails> events) throws IOException {
    lock.lock();
    try {
      ArchiveFile current = fileOfToday();
      try {
        current.append(events);
        file = current;
      } catch (IOException | RuntimeException | Error e) {
        file = current.undo(e) ? current : null;
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  private ArchiveFile fileOfToday() throws IOException {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    ArchiveFile current = file;
    if (current != null
        && today.equals(day)
        && current.size() < maxFileBytes
        && current.isUntouched()) {
      return current;
    }
    day = today;
    filesBegun++;
    return ArchiveFile.create(
        folder.resolve("outbox-%s-%s-%d.jsonl.gz".formatted(today, instance, filesBegun)));
  }
}
