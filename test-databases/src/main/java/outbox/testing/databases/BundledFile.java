package outbox.testing.databases;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.util.jar.JarFile;

/** A file inside a jar on the class path. */
record BundledFile(URL url) {
  static BundledFile find(String name) {
    URL url = BundledFile.class.getClassLoader().getResource(name);
    if (url == null) {
      throw new DatabaseUnavailableException(
          "no server for %s on %s: %s is not on the class path"
              .formatted(Platform.system(), Platform.processor(), name));
    }
    return new BundledFile(url);
  }

  InputStream open() throws IOException {
    return url.openStream();
  }

  /** The whole jar; the caller closes it. */
  JarFile jar() throws IOException {
    JarURLConnection connection = (JarURLConnection) url.openConnection();
    connection.setUseCaches(false);
    return connection.getJarFile();
  }

  /** Differs between two versions of the file. */
  String fingerprint() {
    try (JarFile jar = jar()) {
      String entry = ((JarURLConnection) url.openConnection()).getEntryName();
      return Long.toHexString(jar.getEntry(entry).getCrc());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
