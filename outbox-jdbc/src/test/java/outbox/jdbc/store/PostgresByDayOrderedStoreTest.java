package outbox.jdbc.store;

import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.testing.OrderedStoreContract;
import outbox.testing.StoreFixture;

@ParameterizedClass
@MethodSource("outbox.jdbc.Fixtures#postgresByDay")
class PostgresByDayOrderedStoreTest extends OrderedStoreContract {

  @Parameter StoreFixture fixture;

  @Override
  protected StoreFixture fixture() {
    return fixture;
  }
}
