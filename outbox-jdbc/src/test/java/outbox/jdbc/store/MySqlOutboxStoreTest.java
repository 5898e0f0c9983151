package outbox.jdbc.store;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.testing.OutboxStoreContract;
import outbox.testing.StoreFixture;

@Tag("mysql")
@ParameterizedClass
@MethodSource("outbox.jdbc.Fixtures#mySql")
class MySqlOutboxStoreTest extends OutboxStoreContract {

  @Parameter StoreFixture fixture;

  @Override
  protected StoreFixture fixture() {
    return fixture;
  }
}
