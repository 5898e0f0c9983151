package outbox.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A report as JSON, for machines and for rendering the page again. */
public final class ReportFile {

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private ReportFile() {}

  public static Report read(Path file) throws IOException {
    return JSON.readValue(Files.readString(file), Report.class);
  }

  public static void write(Report report, Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, JSON.writeValueAsString(report) + "\n");
  }
}
