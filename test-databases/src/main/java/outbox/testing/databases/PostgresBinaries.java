package outbox.testing.databases;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** PostgreSQL's files: a tar.xz inside a jar on the class path. */
final class PostgresBinaries {
  private static final int EXECUTABLE = 0100;

  private PostgresBinaries() {}

  static Path folder() {
    BundledFile archive =
        BundledFile.find("postgres-%s-%s.txz".formatted(Platform.system(), Platform.processor()));
    return BinaryCache.folder(
        "postgres-" + archive.fingerprint(),
        folder -> {
          try (InputStream in = archive.open()) {
            unpack(in, folder);
          }
        });
  }

  private static void unpack(InputStream archive, Path folder) throws IOException {
    TarArchiveInputStream tar =
        new TarArchiveInputStream(new XZCompressorInputStream(new BufferedInputStream(archive)));
    for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      unpack(tar, entry, folder.resolve(entry.getName()));
    }
  }

  private static void unpack(TarArchiveInputStream tar, TarArchiveEntry entry, Path target)
      throws IOException {
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, target);
      boolean executable = (entry.getMode() & EXECUTABLE) != 0;
      if (executable && !target.toFile().setExecutable(true, false)) {
        throw new IOException("could not make " + target + " executable");
      }
    }
  }
}
