package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page lists every property there is, and IDEs are told what each is for. */
class SpringBootPageTest {

  private static final Pattern PROPERTY =
      Pattern.compile("\\{\\s*\"name\": \"(outbox\\.[a-z.-]+)\",\\s*\"type\": \"[^}]+?}");

  @Test
  void everyPropertyIsDocumented() throws IOException {
    String page = Files.readString(root().resolve("docs/spring-boot.md"));

    assertThat(properties().stream().map(property -> property.group(1)))
        .hasSizeGreaterThan(25)
        .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
  }

  @Test
  void everyPropertyHasADescription() throws IOException {
    assertThat(properties()).allMatch(property -> property.group().contains("\"description\": "));
  }

  /** Of the metadata that IDEs read; groups have a type, too, but no default and no description. */
  private static List<MatchResult> properties() throws IOException {
    try (var metadata =
        OutboxProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      String json = new String(metadata.readAllBytes(), StandardCharsets.UTF_8);
      int from = json.indexOf("\"properties\": [");
      return PROPERTY.matcher(json.substring(from)).results().toList();
    }
  }

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("mvnw"))) {
      directory = directory.getParent();
    }
    return directory;
  }
}
