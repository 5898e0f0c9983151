package outbox.spring.boot.traced;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** One process takes requests and writes events; another one has the listener. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TracedAcrossProcessesTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";

  /** Stands for what the listener will never see. */
  private static final String ENDED = "ended";

  private final Database database = Databases.postgres().fresh();
  private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
  private final List<String> output = new CopyOnWriteArrayList<>();
  private Process listener;

  @AfterEach
  void end() throws Exception {
    if (listener != null) {
      listener.destroy();
      listener.waitFor();
    }
    database.close();
  }

  private List<String> properties(String... more) {
    List<String> properties =
        new ArrayList<>(
            List.of(
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.hikari.maximum-pool-size=4",
                "--management.tracing.sampling.probability=1.0",
                "--management.tracing.baggage.remote-fields=customer"));
    properties.addAll(List.of(more));
    return properties;
  }

  private ConfigurableApplicationContext shop() {
    return SpringApplication.run(
        TracedShop.class,
        properties("--outbox.relay.enabled=false", "--server.port=0").toArray(String[]::new));
  }

  private void startListener() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(TracedListener.class.getName());
    command.addAll(
        properties("--spring.main.web-application-type=none", "--spring.main.keep-alive=true"));
    listener = new ProcessBuilder(command).redirectErrorStream(true).start();
    Thread reader = new Thread(this::read, "listener-output");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader lines = listener.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.add(line);
        if (line.startsWith(TracedListener.SEEN)) {
          seen.add(line.substring(TracedListener.SEEN.length()));
        }
      }
    } catch (IOException e) {
      output.add(e.toString());
    }
    seen.add(ENDED);
  }

  private static String post(ConfigurableApplicationContext shop, String... headers)
      throws Exception {
    String port = shop.getEnvironment().getRequiredProperty("local.server.port");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/orders"))
            .timeout(Duration.ofMinutes(2))
            .POST(HttpRequest.BodyPublishers.noBody());
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString()).body();
  }

  private String[] nextSeen() throws InterruptedException {
    String line = seen.poll(4, TimeUnit.MINUTES);
    assertThat(line)
        .as("listener's process, which printed: %s", String.join("\n", output))
        .isNotNull()
        .isNotEqualTo(ENDED);
    return line.split(" ");
  }

  @Test
  void traceOfARequestGoesOnInTheListenerOfAnotherProcess() throws Exception {
    try (ConfigurableApplicationContext shop = shop()) {
      String given = post(shop, "traceparent", PARENT, "baggage", "customer=7");
      startListener();

      String[] first = nextSeen();
      assertThat(given).isEqualTo(TRACE);
      assertThat(first[0]).isEqualTo(TRACE);
      assertThat(first[2]).startsWith("00-" + TRACE + "-" + first[1] + "-");
      assertThat(first[3]).isEqualTo("7");

      String begun = post(shop);
      String[] second = nextSeen();
      assertThat(begun).isNotEqualTo(TRACE);
      assertThat(second[0]).isEqualTo(begun);
      assertThat(second[2]).startsWith("00-" + begun + "-" + second[1] + "-");
    }
  }
}
