package outbox.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.faults.world.Server;

class ScenarioVerdictsTest {

  private static final String POSTGRES = Server.POSTGRES.toString();
  private static final String MARIADB = Server.MARIADB.toString();

  @TempDir private Path folder;

  @BeforeEach
  void keepResultsApart() {
    System.setProperty(Protocol.FOLDER, folder.toString());
  }

  @AfterEach
  void keepNoMoreResultsApart() {
    System.clearProperty(Protocol.FOLDER);
  }

  static class F96FailsOnOneDatabase extends Scenario {
    @Test
    void isHalfRight() {
      assertThat(server).as("databases that came again").isNotEqualTo(Server.MARIADB);
    }
  }

  static class F95CannotBegin extends Scenario {
    @BeforeEach
    void fail() {
      throw new IllegalStateException("what came again is that nothing could be prepared");
    }

    @Test
    void isNeverTried() {}
  }

  @Test
  void databasesAreJudgedOneByOneAndByTheNamedCheck() {
    ScenarioVerdicts verdicts = ScenarioVerdicts.of(selectClass(F96FailsOnOneDatabase.class));

    assertThat(verdicts.passes(POSTGRES)).isTrue();
    assertThat(verdicts.failsBy(POSTGRES, List.of("came again"))).isFalse();
    assertThat(verdicts.passes(MARIADB)).isFalse();
    assertThat(verdicts.failsBy(MARIADB, List.of("out of order", "came again"))).isTrue();
    assertThat(verdicts.failsBy(MARIADB, List.of("out of order"))).isFalse();
    assertThat(verdicts.reason(MARIADB)).contains("databases that came again");
  }

  @Test
  void scenarioThatCouldNotBeginFoundNothing() {
    ScenarioVerdicts verdicts = ScenarioVerdicts.of(selectClass(F95CannotBegin.class));

    assertThat(verdicts.passes(MARIADB)).isFalse();
    assertThat(verdicts.failsBy(MARIADB, List.of("came again"))).isFalse();
  }
}
