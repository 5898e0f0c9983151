package outbox.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import outbox.internal.JsonSyntax;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

@Timeout(120)
class JsonLinesArchiverTest {

  private static final Instant NOW = Instant.parse("2030-01-02T23:59:00Z");

  @TempDir Path folder;

  @Test
  void lineHasEveryColumnOfTheRow() throws IOException {
    EventDetails event =
        new EventDetails(
            new OutboxEvent(
                "id-1",
                "OrderPlaced",
                "Order",
                "42",
                null,
                "{ \"näme\":\t\"\\u0041\uD83D\uDE80\",\n\"n\":1.0 }",
                "{\"k\":\"v\"}",
                3,
                Instant.parse("2030-01-01T00:00:00.123456Z")),
            EventStatus.DEAD,
            NOW,
            NOW.plusMillis(1),
            "java.io.IOException: \"refused\"\\",
            "node-1",
            NOW.plusMillis(2));

    archiver().archive(List.of(event));

    String line =
        """
        {"event_id":"id-1","event_type":"OrderPlaced","aggregate_type":"Order",\
        "aggregate_id":"42","tenant_id":null,\
        "payload":"{ \\"näme\\":\\t\\"\\\\u0041\\ud83d\\ude80\\",\\n\\"n\\":1.0 }",\
        "headers":"{\\"k\\":\\"v\\"}","status":"DEAD","attempts":3,\
        "available_at":"2030-01-02T23:59:00Z","created_at":"2030-01-01T00:00:00.123456Z",\
        "done_at":"2030-01-02T23:59:00.001Z",\
        "last_error":"java.io.IOException: \\"refused\\"\\\\","locked_by":"node-1",\
        "locked_at":"2030-01-02T23:59:00.002Z"}\
        """;
    assertThat(lines(onlyFile())).containsExactly(line);
    assertThat(JsonSyntax.isJson(line)).isTrue();
  }

  @Test
  void batchesOfADayGoToOneFile() throws IOException {
    JsonLinesArchiver archiver = archiver();

    archiver.archive(List.of(event("a"), event("b")));
    archiver.archive(List.of(event("c")));

    assertThat(onlyFile().getFileName().toString())
        .matches("outbox-2030-01-02-[0-9a-f]{8}-1\\.jsonl\\.gz");
    assertThat(ids(onlyFile())).containsExactly("a", "b", "c");
  }

  @Test
  void newDayBeginsANewFile() throws IOException {
    AtomicReference<Instant> now = new AtomicReference<>(NOW);
    JsonLinesArchiver archiver =
        new JsonLinesArchiver(folder, Long.MAX_VALUE, new SettableClock(now));
    archiver.archive(List.of(event("a")));

    now.set(NOW.plusSeconds(60));
    archiver.archive(List.of(event("b")));

    assertThat(files()).hasSize(2);
    assertThat(files().get(1).getFileName().toString()).startsWith("outbox-2030-01-03-");
    assertThat(ids(files().get(1))).containsExactly("b");
  }

  @Test
  void fullFileIsFollowedByAnother() throws IOException {
    JsonLinesArchiver archiver = new JsonLinesArchiver(folder, 1, Clock.fixed(NOW, ZoneOffset.UTC));

    archiver.archive(List.of(event("a")));
    archiver.archive(List.of(event("b")));

    assertThat(files()).hasSize(2);
    assertThat(ids()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void anotherProcessNeverWritesToTheSameFile() throws IOException {
    archiver().archive(List.of(event("a")));
    archiver().archive(List.of(event("b")));

    assertThat(files()).hasSize(2);
  }

  @Test
  void batchThatFailsHalfWayLeavesNoTrace() throws IOException {
    JsonLinesArchiver archiver = archiver();
    archiver.archive(List.of(event("a")));

    assertThatThrownBy(() -> archiver.archive(failingAfter(5000)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(ids(onlyFile())).containsExactly("a");

    archiver.archive(List.of(event("b")));
    assertThat(ids(onlyFile())).containsExactly("a", "b");
  }

  @Test
  void crashHalfWayLosesNothingThatWasAcknowledged() throws IOException {
    JsonLinesArchiver archiver = archiver();
    archiver.archive(List.of(event("a"), event("b")));
    long acknowledged = Files.size(onlyFile());
    archiver.archive(List.of(event("c")));
    Path torn = onlyFile();
    byte[] all = Files.readAllBytes(torn);

    for (int size = (int) acknowledged + 1; size < all.length; size++) {
      Files.write(torn, Arrays.copyOf(all, size));
      assertThat(whole(torn)).hasSizeGreaterThanOrEqualTo(2);
      assertThat(whole(torn).get(0)).contains("\"a\"");
      assertThat(whole(torn).get(1)).contains("\"b\"");
    }
  }

  @Test
  void fileThatSomeoneElseTouchedIsLeftAlone() throws IOException {
    JsonLinesArchiver archiver = archiver();
    archiver.archive(List.of(event("a")));
    Files.write(onlyFile(), new byte[] {1, 2, 3}, StandardOpenOption.APPEND);

    archiver.archive(List.of(event("b")));
    assertThat(files()).hasSize(2);
    assertThat(ids(files().get(1))).containsExactly("b");

    Files.delete(files().get(1));
    archiver.archive(List.of(event("c")));
    assertThat(ids(files().get(1))).containsExactly("c");
  }

  @Test
  void vanishedFolderIsAFailure() throws IOException {
    Path mount = Files.createDirectory(folder.resolve("mount"));
    JsonLinesArchiver archiver = new JsonLinesArchiver(mount);
    Files.delete(mount);

    assertThatThrownBy(() -> archiver.archive(List.of(event("a")))).isInstanceOf(IOException.class);

    Files.createDirectory(mount);
    archiver.archive(List.of(event("a")));
    assertThat(mount).isNotEmptyDirectory();
  }

  @Test
  void impossibleSettingsAreRefused() {
    assertThatThrownBy(() -> new JsonLinesArchiver(folder.resolve("missing")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("folder must be an existing directory");
    assertThatThrownBy(() -> new JsonLinesArchiver(folder, 0, Clock.systemUTC()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxFileBytes");
  }

  @Test
  void severalPurgersShareAnArchiver() throws Exception {
    JsonLinesArchiver archiver =
        new JsonLinesArchiver(folder, 2000, Clock.fixed(NOW, ZoneOffset.UTC));
    List<Callable<Void>> work = new ArrayList<>();
    for (int purger = 0; purger < 4; purger++) {
      int number = purger;
      work.add(
          () -> {
            for (int i = 0; i < 25; i++) {
              archiver.archive(List.of(event(number + "-" + i)));
            }
            return null;
          });
    }

    ExecutorService purgers = Executors.newFixedThreadPool(work.size());
    try {
      for (Future<Void> done : purgers.invokeAll(work)) {
        done.get();
      }
    } finally {
      purgers.shutdownNow();
    }

    assertThat(files()).hasSizeGreaterThan(1);
    assertThat(ids()).hasSize(100).doesNotHaveDuplicates();
  }

  private static final class SettableClock extends Clock {

    private final AtomicReference<Instant> now;

    SettableClock(AtomicReference<Instant> now) {
      this.now = now;
    }

    @Override
    public Instant instant() {
      return now.get();
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private JsonLinesArchiver archiver() {
    return new JsonLinesArchiver(folder, Long.MAX_VALUE, Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private static EventDetails event(String id) {
    return new EventDetails(
        new OutboxEvent(id, "T", null, null, null, "{}", null, 0, NOW),
        EventStatus.DONE,
        NOW,
        NOW,
        null,
        null,
        null);
  }

  private static List<EventDetails> failingAfter(int size) {
    return new AbstractList<>() {
      @Override
      public EventDetails get(int index) {
        if (index == size) {
          throw new IllegalStateException("gone");
        }
        return event("broken-" + index);
      }

      @Override
      public int size() {
        return size + 1;
      }
    };
  }

  private Path onlyFile() throws IOException {
    assertThat(files()).hasSize(1);
    return files().get(0);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private List<String> ids() throws IOException {
    List<String> ids = new ArrayList<>();
    for (Path file : files()) {
      ids.addAll(ids(file));
    }
    return ids;
  }

  private static List<String> ids(Path file) throws IOException {
    return lines(file).stream()
        .map(line -> line.replaceAll("^\\{\"event_id\":\"(.*?)\".*", "$1"))
        .toList();
  }

  private static List<String> lines(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    read(file, lines);
    return lines;
  }

  /** The lines before the place where the file breaks off, if it does. */
  private static List<String> whole(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    try {
      read(file, lines);
    } catch (EOFException e) {
      // as zcat says: unexpected end of file
    }
    return lines;
  }

  private static void read(Path file, List<String> into) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line; (line = reader.readLine()) != null; ) {
        into.add(line);
      }
    }
  }
}
