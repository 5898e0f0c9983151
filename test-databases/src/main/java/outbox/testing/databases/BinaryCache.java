package outbox.testing.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Folders of unpacked server files, filled once per user and machine and complete whenever they are
 * visible: several JVMs may ask at the same time, and any of them may be killed.
 */
final class BinaryCache {
  /** Fills an empty folder. */
  interface Unpacking {
    void into(Path folder) throws IOException;
  }

  private static final Map<String, Path> FOLDERS = new ConcurrentHashMap<>();

  private BinaryCache() {}

  /** The folder of that name, unpacked now if it is not there yet. */
  static Path folder(String name, Unpacking unpacking) {
    return FOLDERS.computeIfAbsent(name, missing -> find(missing, unpacking));
  }

  private static Path find(String name, Unpacking unpacking) {
    try {
      Path folder = root().resolve(name);
      if (Files.isDirectory(folder)) {
        rejuvenate(folder);
      } else {
        unpack(folder, unpacking);
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("could not unpack server files", e);
    }
  }

  private static Path root() throws IOException {
    String name = "outbox-test-databases-" + System.getProperty("user.name");
    Path root = Files.createDirectories(Path.of(System.getProperty("java.io.tmpdir"), name));
    // Programs are run from here: nobody else may have put them there.
    Path ours = Files.createTempFile(root, "owner-", "");
    boolean foreign = !Files.getOwner(root).equals(Files.getOwner(ours));
    Files.delete(ours);
    if (foreign) {
      throw new IOException(root + " must be our own, got: owner " + Files.getOwner(root));
    }
    return root;
  }

  private static void unpack(Path folder, Unpacking unpacking) throws IOException {
    Path staging = Files.createTempDirectory(folder.getParent(), folder.getFileName() + "-");
    unpacking.into(staging);
    // The account a server runs under may be another than ours.
    Files.setPosixFilePermissions(staging, PosixFilePermissions.fromString("rwxr-xr-x"));
    try {
      Files.move(staging, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      delete(staging);
      if (!Files.isDirectory(folder)) {
        throw e;
      }
      // Another JVM was faster; what it unpacked is the same.
    }
  }

  /** Cleaners of temporary folders go by age, file by file; equally young, all stay or none. */
  private static void rejuvenate(Path folder) throws IOException {
    FileTime now = FileTime.from(Instant.now());
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.filter(Files::exists)::iterator) {
        Files.setLastModifiedTime(file, now);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> files = Files.walk(folder)) {
      deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : deepestFirst) {
      Files.delete(file);
    }
  }
}
