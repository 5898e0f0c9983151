package outbox.testing.databases;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** PostgreSQL from the binaries that Zonky publishes. */
final class PostgresEngine implements Engine {
  private static final String USER = "postgres";

  @Override
  public String title() {
    return "PostgreSQL";
  }

  @Override
  public String urlVariable() {
    return "OUTBOX_TEST_POSTGRES_URL";
  }

  @Override
  public String scheme() {
    return "postgresql";
  }

  @Override
  public Map<String, String> hasty() {
    return Map.of("fsync", "off", "full_page_writes", "off");
  }

  @Override
  public void prepare(ServerHome home) throws IOException {
    PostgresAccount.suitedTo(home).own(home);
  }

  @Override
  public List<String> initialise(ServerHome home) {
    return PostgresAccount.suitedTo(home)
        .run(
            List.of(
                program("initdb"),
                "--pgdata=" + home.data(),
                "--username=" + USER,
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync"));
  }

  @Override
  public List<String> serve(ServerHome home, int port, Map<String, String> settings) {
    List<String> command = new ArrayList<>();
    command.add(program("postgres"));
    command.add("-D");
    command.add(home.data().toString());
    command.add("--port=" + port);
    command.add("--listen_addresses=127.0.0.1");
    command.add("--unix_socket_directories=");
    command.add("--max_connections=300");
    command.addAll(Engine.options(settings));
    return PostgresAccount.suitedTo(home).run(command);
  }

  @Override
  public JdbcUrl bootstrapUrl(int port) {
    return JdbcUrl.local(scheme(), port, "postgres", USER);
  }

  @Override
  public String dataFolderQuery() {
    return "SHOW data_directory";
  }

  /** A fast shutdown: TERM would wait for the clients to leave. */
  @Override
  public String stopSignal() {
    return "INT";
  }

  /** An immediate shutdown: KILL would leave shared memory behind. */
  @Override
  public String discardSignal() {
    return "QUIT";
  }

  private static String program(String name) {
    return PostgresBinaries.folder().resolve("bin").resolve(name).toString();
  }
}
