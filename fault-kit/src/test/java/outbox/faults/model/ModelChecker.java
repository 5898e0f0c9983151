package outbox.faults.model;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs TLC over a model, in a process of its own, because it keeps what it knows in static fields.
 * With one worker it finds the same shortest counterexample each time.
 */
final class ModelChecker {

  private static final Path SOURCES = Path.of("src/test/tla");
  private static final Path TARGET = Path.of("target/model");

  private final List<String> jvm;
  private final int workers;
  private final Duration patience;

  private ModelChecker(List<String> jvm, int workers, Duration patience) {
    this.jvm = jvm;
    this.workers = workers;
    this.patience = patience;
  }

  /** For what takes seconds. */
  static ModelChecker quick() {
    return new ModelChecker(
        List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        1,
        Duration.ofMinutes(5));
  }

  /** For what takes minutes. */
  static ModelChecker thorough() {
    return new ModelChecker(List.of("-Xmx4g", "-XX:+UseParallelGC"), 2, Duration.ofHours(1));
  }

  Verdict check(Model model) {
    try {
      String configuration = model.configuration();
      String name = "%s-%08x".formatted(model.module(), configuration.hashCode());
      Path directory = Files.createDirectories(TARGET.resolve(name));
      Path module = directory.resolve(model.module() + ".tla");
      Files.copy(SOURCES.resolve(module.getFileName()), module, REPLACE_EXISTING);
      Files.writeString(directory.resolve(model.module() + ".cfg"), configuration);
      return Verdict.of(run(directory, model.module()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String run(Path directory, String module) throws IOException {
    Path log = directory.resolve("tlc.log");
    Process process =
        new ProcessBuilder(command(module))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException(
            "TLC must end within %s, see %s".formatted(patience, log.toAbsolutePath()));
      }
      return Files.readString(log);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while TLC was running", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private List<String> command(String module) {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    command.addAll(jvm);
    command.addAll(
        List.of(
            "-Djava.io.tmpdir=.", // where it puts its standard modules, under fixed names
            "-cp",
            System.getProperty("java.class.path"),
            "tlc2.TLC",
            "-deadlock", // don't look for deadlocks: when all has ended, nothing has to go on
            "-cleanup",
            "-fp",
            "0",
            "-workers",
            String.valueOf(workers),
            module));
    return command;
  }
}
