package outbox.testing.databases;

class MariaDbServerTest extends DatabaseServerContract {
  @Override
  DatabaseServer.Builder builder() {
    return DatabaseServer.mariaDb();
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
