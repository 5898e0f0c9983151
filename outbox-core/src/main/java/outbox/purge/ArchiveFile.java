package outbox.purge;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import outbox.model.EventDetails;

/**
 * One file of the archive: a row of gzip members, one per batch, each on the disk before the next
 * begins. Knows how long it is as far as it is whole.
 */
final class ArchiveFile {

  private final Path path;
  private long size;

  private ArchiveFile(Path path) {
    this.path = path;
  }

  /** Fails if the file is there already. */
  static ArchiveFile create(Path path) throws IOException {
    Files.createFile(path);
    syncFolderOf(path);
    return new ArchiveFile(path);
  }

  long size() {
    return size;
  }

  /** False if someone moved it away, cut it or wrote to it. */
  boolean isUntouched() throws IOException {
    return Files.isRegularFile(path) && Files.size(path) == size;
  }

  /** Returns when the events are on the disk. */
  void append(List<EventDetails> events) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.position(size);
      write(events, Channels.newOutputStream(channel));
      channel.force(true);
      size = channel.position();
    }
  }

  /** Cuts off what a failed append left; false if that fails as well. */
  boolean undo(Throwable cause) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.truncate(size);
      channel.force(true);
      return true;
    } catch (IOException e) {
      cause.addSuppressed(e);
      return false;
    }
  }

  /** Ends the member, and leaves the file open. */
  private static void write(List<EventDetails> events, OutputStream file) throws IOException {
    OutputStream out =
        new BufferedOutputStream(file) {
          @Override
          public void close() throws IOException {
            flush();
          }
        };
    try (Writer lines = new OutputStreamWriter(new GZIPOutputStream(out), StandardCharsets.UTF_8)) {
      for (EventDetails event : events) {
        lines.write(JsonLine.of(event));
      }
    }
  }

  /** Else a crash could lose the name of a file whose content is safe. */
  private static void syncFolderOf(Path path) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Path folder = path.toAbsolutePath().getParent();
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }
}
