package outbox.jdbc.store;

import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.testing.OutboxStoreContract;
import outbox.testing.StoreFixture;

@ParameterizedClass
@MethodSource("outbox.jdbc.Fixtures#mariaDb")
class MariaDbOutboxStoreTest extends OutboxStoreContract {

  @Parameter StoreFixture fixture;

  @Override
  protected StoreFixture fixture() {
    return fixture;
  }
}
