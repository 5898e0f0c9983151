package outbox.samples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.MultiNodeBuilder;
import outbox.OrderedBuilder;
import outbox.SingleNodeBuilder;
import outbox.WriterOnlyBuilder;
import outbox.dispatch.OutboxDispatcher;
import outbox.poller.OutboxPoller;
import outbox.purge.OutboxPurgeScheduler;

/** The page lists every setting there is. */
class ConfigurationPageTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        SingleNodeBuilder.class,
        MultiNodeBuilder.class,
        OrderedBuilder.class,
        WriterOnlyBuilder.class,
        OutboxDispatcher.Builder.class,
        OutboxPoller.Builder.class,
        OutboxPurgeScheduler.Builder.class
      })
  void everySettingIsDocumented(Class<?> builder) throws IOException {
    String page = Documentation.ofThisRepository().text("docs/configuration.md");

    assertThat(settings(builder))
        .isNotEmpty()
        .allSatisfy(setting -> assertThat(page).containsPattern("`" + setting + "[`(]"));
  }

  @Test
  void onlyMethodsThatReturnTheBuilderAreSettings() {
    assertThat(settings(OutboxPoller.Builder.class))
        .contains("batchSize", "claimLocking")
        .doesNotContain("build", "wait");
    assertThat(settings(MultiNodeBuilder.class))
        .contains("lease", "listener", "database")
        .doesNotContain("build", "getClass");
  }

  /** Some are inherited, and return what they are inherited from. */
  private static List<String> settings(Class<?> builder) {
    return Arrays.stream(builder.getMethods())
        .filter(method -> method.getReturnType().isAssignableFrom(builder))
        .map(Method::getName)
        .distinct()
        .toList();
  }
}
