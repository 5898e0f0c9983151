package outbox.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import outbox.benchmarks.report.Report.Fact;

/** Names the machine and what runs on it. */
public final class Environment {

  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
  private static final Path OS_RELEASE = Path.of("/etc/os-release");

  private Environment() {}

  /** Machine, system, Java and libraries. */
  public static List<Fact> facts() {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("processor", processor() + ", " + cores() + " cores"));
    facts.add(new Fact("memory", memory() / (1L << 30) + " GiB"));
    facts.add(new Fact("system", system()));
    facts.add(new Fact("Java", property("java.vm.name") + " " + property("java.runtime.version")));
    versions().stringPropertyNames().stream()
        .sorted(String.CASE_INSENSITIVE_ORDER)
        .forEach(name -> facts.add(new Fact(name, versions().getProperty(name))));
    return facts;
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static long memory() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  private static String processor() {
    return firstLine(CPU_INFO, "model name").replaceFirst("^[^:]*:\\s*", "");
  }

  private static String system() {
    String distribution =
        firstLine(OS_RELEASE, "PRETTY_NAME").replaceFirst("^[^=]*=", "").replace("\"", "");
    return distribution + ", " + property("os.name") + " " + property("os.version");
  }

  /** The architecture where the system doesn't tell more. */
  private static String firstLine(Path file, String start) {
    if (!Files.isReadable(file)) {
      return property("os.arch");
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> line.startsWith(start)).findFirst().orElse(property("os.arch"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }

  private static Properties versions() {
    Properties versions = new Properties();
    try (InputStream in =
        Environment.class.getResourceAsStream("/outbox/benchmarks/versions.properties")) {
      versions.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return versions;
  }
}
