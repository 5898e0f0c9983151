package outbox.samples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a POSIX shell script")
class LauncherTest {

  private record Result(int exitCode, String text) {}

  private static final Path LAUNCHER = Path.of("../../outbox").toAbsolutePath().normalize();

  @TempDir private Path elsewhere;

  @Test
  void explainsItselfFromAnyDirectoryAndThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(elsewhere.resolve("linked"), LAUNCHER);

    Result result = run(link, "", "help");
    Files.delete(link);

    assertThat(result.text()).contains("Usage: ./outbox <command>", "demo");
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void refusesAnUnknownCommand() throws Exception {
    Result result = run(LAUNCHER, "", "fly");

    assertThat(result.text()).contains("unknown command: fly", "Usage:");
    assertThat(result.exitCode()).isEqualTo(2);
  }

  @Test
  void saysWhenThereIsNoJavaWhereJavaHomePoints() throws Exception {
    Result result = run(LAUNCHER, elsewhere.toString(), "demo");

    assertThat(result.text()).contains("JAVA_HOME is " + elsewhere, "no bin/java");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  @Test
  void saysWhenJavaIsTooOld() throws Exception {
    Path java = Files.createDirectories(elsewhere.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();

    Result result = run(LAUNCHER, elsewhere.toString(), "demo");

    assertThat(result.text())
        .contains("Java 17 or later is needed, got: openjdk version \"11.0.2\"");
    assertThat(result.exitCode()).isEqualTo(1);
  }

  private Result run(Path launcher, String javaHome, String... args)
      throws IOException, InterruptedException {
    List<String> command = Stream.concat(Stream.of(launcher.toString()), Stream.of(args)).toList();
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(elsewhere.toFile()).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", javaHome);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Result(process.waitFor(), text);
  }
}
