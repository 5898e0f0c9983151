package outbox.micrometer;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.destination.GuardedDestination;

/** Dashboard, alerts, runbooks and documentation speak of meters that a running outbox has. */
class OpsTest {

  private static final Pattern SERIES = Pattern.compile("(outbox_[a-z_]+)(?:\\{([^}]*)})?");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)\\s*\\\\?\"");
  private static final Pattern GROUPING = Pattern.compile("by \\(([a-z_, ]+)\\)");
  private static final Pattern METER = Pattern.compile("(?m)^\\| `(outbox\\.[a-z.]+)` \\|");

  /** What a scrape adds by itself. */
  private static final Set<String> LABELS_OF_PROMETHEUS = Set.of("instance", "le");

  private static final Map<String, Set<String>> SCRAPED = new TreeMap<>();

  @BeforeAll
  static void scrapeRunningOutboxes() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().commonTags("application", "shop"); // as docs/metrics.md says
    GuardedDestination destination = new GuardedDestination(new AnsweredDestination("billing"));
    DestinationMeters.of(registry, destination);
    try (RunningOutbox ordered = RunningOutbox.ordered(registry, 2)) {
      ordered.write(
          EventEnvelope.builder("OrderPlaced").aggregateId("1").payloadJson("{}").build());
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                String scrape = registry.scrape();
                return scrape.contains("outbox_partition_owner")
                    && !scrape.contains(
                        "outbox_pending{application=\"shop\",table=\"outbox_event\"} NaN");
              });
      registry
          .scrape()
          .lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(line -> SERIES.matcher(line).results().limit(1).forEach(OpsTest::remember));
    }
  }

  private static void remember(MatchResult series) {
    Set<String> labels = SCRAPED.computeIfAbsent(series.group(1), name -> new TreeSet<>());
    labels.addAll(labels(series));
  }

  private static Set<String> labels(MatchResult series) {
    return series.group(2) == null
        ? Set.of()
        : LABEL.matcher(series.group(2)).results().map(label -> label.group(1)).collect(toSet());
  }

  @Test
  void everySeriesOfTheAlertsIsThere() throws IOException {
    assertThat(problems(expressionsOfAlerts())).isEmpty();
  }

  @Test
  void everySeriesOfTheDashboardIsThere() throws IOException {
    List<String> expressions = expressionsOfTheDashboard("expr|query|definition");

    assertThat(expressions).hasSizeGreaterThan(20);
    assertThat(problems(expressions)).isEmpty();
  }

  /** Tables of different services have the same name. */
  @Test
  void applicationsAreToldApart() throws IOException {
    List<String> panels = expressionsOfTheDashboard("expr");

    assertThat(Stream.concat(expressionsOfAlerts().stream(), panels.stream()))
        .allSatisfy(
            expression ->
                assertThat(GROUPING.matcher(expression).results().map(MatchResult::group))
                    .isNotEmpty()
                    .allMatch(grouping -> grouping.startsWith("by (application")));
    assertThat(panels)
        .allSatisfy(
            expression ->
                assertThat(SERIES.matcher(expression).results().map(MatchResult::group))
                    .allMatch(series -> series.contains("{application=~\"$application\"")));
  }

  @Test
  void theseChecksNoticeWhatIsNotThere() {
    assertThat(problems(List.of("outbox_pendig > 1"))).hasSize(1);
    assertThat(problems(List.of("sum by (tenant) (outbox_pending)"))).hasSize(1);
    assertThat(problems(List.of("outbox_pending{type=\"x\"} > 1"))).hasSize(1);
    assertThat(problems(List.of("max by (table) (outbox_pending{table=\"x\"})"))).isEmpty();
  }

  @Test
  void everyAlertIsTestedAndHasARunbookAndALineInTheDocumentation() throws IOException {
    Set<String> alerts = alerts();
    String tests = text("ops/prometheus/outbox-alerts-test.yml");
    String page = text("docs/metrics.md");

    assertThat(alerts).hasSizeGreaterThanOrEqualTo(7);
    assertThat(runbooks()).isEqualTo(alerts);
    for (String alert : alerts) {
      String runbook = "docs/runbooks/" + alert + ".md";
      assertThat(text("ops/prometheus/outbox-alerts.yml")).contains("runbook: " + runbook);
      assertThat(tests).contains("runbook: " + runbook); // an alert that fires
      assertThat(tests).contains("alertname: " + alert + ", exp_alerts: []");
      assertThat(page).contains("[%s](runbooks/%s.md)".formatted(alert, alert));
      assertThat(text(runbook))
          .startsWith("# " + alert + "\n")
          .contains("## What it means", "## What to look at", "## What to do", "```sql");
    }
  }

  @Test
  void theSqlOfTheRunbooksRuns() throws Exception {
    try (RunningOutbox running = RunningOutbox.multiNode(new SimpleMeterRegistry(), event -> {});
        Connection connection = running.database.connections().getConnection();
        Statement statement = connection.createStatement()) {
      for (String alert : alerts()) {
        List<String> blocks =
            Pattern.compile("(?s)```sql\n(.+?)```")
                .matcher(text("docs/runbooks/" + alert + ".md"))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks).isNotEmpty();
        for (String sql : statements(blocks)) {
          statement.execute(sql);
        }
      }
    }
  }

  @Test
  void theDocumentationListsEveryMeterAndNoOther() throws IOException {
    Set<String> documented =
        METER
            .matcher(text("docs/metrics.md"))
            .results()
            .map(meter -> meter.group(1).replace('.', '_'))
            .collect(toCollection(TreeSet::new));
    Set<String> scraped =
        SCRAPED.keySet().stream()
            .map(name -> name.replaceAll("_(total|bucket|count|sum|max)$", ""))
            .map(name -> name.replaceAll("_seconds$", ""))
            .collect(toCollection(TreeSet::new));

    assertThat(documented).isEqualTo(scraped);
  }

  @Test
  void timesHaveBuckets() {
    assertThat(SCRAPED.keySet())
        .contains(
            "outbox_delivery_latency_seconds_bucket",
            "outbox_listener_time_seconds_bucket",
            "outbox_poll_time_seconds_bucket",
            "outbox_completion_batch_bucket");
  }

  private static List<String> statements(List<String> blocks) {
    return blocks.stream()
        .flatMap(Pattern.compile(";")::splitAsStream)
        .filter(sql -> !sql.isBlank())
        .toList();
  }

  private static List<String> problems(List<String> expressions) {
    return expressions.stream().flatMap(OpsTest::problems).toList();
  }

  private static Stream<String> problems(String expression) {
    Set<String> grouped =
        GROUPING
            .matcher(expression)
            .results()
            .flatMap(group -> Pattern.compile(", ").splitAsStream(group.group(1)))
            .collect(toSet());
    return SERIES
        .matcher(expression)
        .results()
        .filter(series -> !isThere(series, grouped))
        .map(series -> "%s in %s".formatted(series.group(), expression));
  }

  private static boolean isThere(MatchResult series, Set<String> grouped) {
    Set<String> there = SCRAPED.get(series.group(1));
    return there != null
        && there.containsAll(labels(series))
        && grouped.stream()
            .allMatch(label -> LABELS_OF_PROMETHEUS.contains(label) || there.contains(label));
  }

  private static Set<String> alerts() throws IOException {
    return Pattern.compile("- alert: (\\w+)")
        .matcher(text("ops/prometheus/outbox-alerts.yml"))
        .results()
        .map(alert -> alert.group(1))
        .collect(toCollection(TreeSet::new));
  }

  /** An expression goes on until the next key of its alert. */
  private static List<String> expressionsOfAlerts() throws IOException {
    List<String> expressions =
        Pattern.compile("(?s)expr: (.+?)\n {8}[a-z]+:")
            .matcher(text("ops/prometheus/outbox-alerts.yml"))
            .results()
            .map(expression -> expression.group(1))
            .toList();
    assertThat(expressions).hasSameSizeAs(alerts());
    return expressions;
  }

  private static List<String> expressionsOfTheDashboard(String keys) throws IOException {
    return Pattern.compile("\"(?:%s)\": \"((?:[^\"\\\\]|\\\\.)*)\"".formatted(keys))
        .matcher(text("ops/grafana/outbox.json"))
        .results()
        .map(expression -> expression.group(1).replace("\\\"", "\""))
        .filter(expression -> expression.contains("outbox_"))
        .toList();
  }

  private static Set<String> runbooks() throws IOException {
    try (Stream<Path> files = Files.list(root().resolve("docs/runbooks"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".md", ""))
          .collect(toCollection(TreeSet::new));
    }
  }

  private static String text(String path) throws IOException {
    return Files.readString(root().resolve(path));
  }

  private static Path root() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("mvnw"))) {
      directory = directory.getParent();
    }
    return directory;
  }
}
