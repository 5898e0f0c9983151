package outbox.faults.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.faults.check.Checker;
import outbox.faults.world.Server;
import outbox.faults.world.World;
import outbox.testing.databases.Database;

/**
 * Something fails, and what was promised holds. The class is named after the number of the
 * scenario, its methods say what holds; histories and logs of nodes stay in {@code target/faults}.
 *
 * <p>All run with {@code make faults}; those with the tag {@code quick} whenever tests run.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(Server.class)
@Tag("scenario")
@Timeout(300)
abstract class Scenario {

  static final String QUICK = "quick";

  /** What is measured here needs the machine. */
  static final String ALONE = "alone";

  @Parameter Server server;

  @RegisterExtension final Protocol protocol = new Protocol(this);

  private final List<World> worlds = new ArrayList<>();
  private Path folder = Path.of("target", "faults");

  @BeforeEach
  void emptyFolder(TestInfo test) throws IOException {
    String name = test.getTestMethod().orElseThrow().getName();
    folder =
        Path.of("target", "faults", getClass().getSimpleName(), name)
            .resolve(server.name().toLowerCase(Locale.ROOT))
            .toAbsolutePath();
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
      }
    }
    Files.createDirectories(folder);
  }

  @AfterEach
  void closeWorlds() {
    worlds.forEach(World::close);
  }

  /** On a database of its own. */
  final World world() throws SQLException {
    return world(server.database());
  }

  final World world(Database database) throws SQLException {
    World world = new World(database, folder);
    worlds.add(world);
    return world;
  }

  /** Judges what must always hold, and keeps it for the report. */
  final Checker judge(World world) throws SQLException {
    Checker checker = world.check();
    protocol.judged(checker);
    return checker;
  }
}
