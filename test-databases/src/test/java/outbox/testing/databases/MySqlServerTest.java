package outbox.testing.databases;

import org.junit.jupiter.api.Tag;

@Tag("mysql")
class MySqlServerTest extends DatabaseServerContract {
  @Override
  DatabaseServer.Builder builder() {
    return DatabaseServer.mysql();
  }

  @Override
  String durabilityQuery() {
    return "SELECT @@innodb_flush_log_at_trx_commit";
  }

  @Override
  String durable() {
    return "1";
  }

  @Override
  String dataFolderQuery() {
    return "SELECT @@datadir";
  }
}
