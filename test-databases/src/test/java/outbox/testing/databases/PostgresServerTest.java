package outbox.testing.databases;

class PostgresServerTest extends DatabaseServerContract {
  @Override
  DatabaseServer.Builder builder() {
    return DatabaseServer.postgres();
  }

  @Override
  String durabilityQuery() {
    return "SHOW fsync";
  }

  @Override
  String durable() {
    return "on";
  }

  @Override
  String dataFolderQuery() {
    return "SHOW data_directory";
  }
}
