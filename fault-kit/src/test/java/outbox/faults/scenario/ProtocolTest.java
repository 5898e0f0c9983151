package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Whatever fails, before a scenario or after it, is in its result. */
class ProtocolTest {

  @TempDir private Path folder;

  @BeforeEach
  void keepResultsApart() {
    System.setProperty(Protocol.FOLDER, folder.toString());
  }

  @AfterEach
  void keepNoMoreResultsApart() {
    System.clearProperty(Protocol.FOLDER);
  }

  static class F97Passes extends Scenario {
    @Test
    void passes() {
      protocol.about("a load", "a fault");
    }
  }

  static class F98FailsBefore extends Scenario {
    @BeforeEach
    void fail() {
      throw new IllegalStateException("nothing could be prepared");
    }

    @Test
    void passes() {}
  }

  static class F99FailsAfter extends Scenario {
    @Test
    void passes() {}

    @AfterEach
    void fail() {
      throw new IllegalStateException("a node could not be closed");
    }
  }

  @Test
  void scenarioThatPassedIsKeptWithAllThatIsKnown() throws IOException {
    assertThat(results(F97Passes.class))
        .hasSize(2)
        .allMatch(result -> result.contains("passed=true"))
        .allMatch(result -> result.contains("load=a load"))
        .allMatch(result -> result.contains("java=Java " + Runtime.version()))
        .anyMatch(result -> result.contains("version=PostgreSQL "))
        .anyMatch(result -> result.contains("version=MariaDB "));
  }

  @Test
  void scenarioWhosePreparationFailsHasFailed() throws IOException {
    assertThat(results(F98FailsBefore.class))
        .hasSize(2)
        .allMatch(result -> result.contains("passed=false"));
  }

  @Test
  void scenarioWhoseEndFailsHasFailed() throws IOException {
    assertThat(results(F99FailsAfter.class))
        .hasSize(2)
        .allMatch(result -> result.contains("passed=false"));
  }

  private List<String> results(Class<? extends Scenario> scenario) throws IOException {
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(scenario))
                .build());
    List<String> results = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        results.add(Files.readString(file));
      }
    }
    return results;
  }
}
