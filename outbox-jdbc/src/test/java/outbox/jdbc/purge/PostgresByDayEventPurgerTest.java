package outbox.jdbc.purge;

import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.testing.EventPurgerContract;
import outbox.testing.StoreFixture;

@ParameterizedClass
@MethodSource("outbox.jdbc.Fixtures#postgresByDay")
class PostgresByDayEventPurgerTest extends EventPurgerContract {

  @Parameter StoreFixture fixture;

  @Override
  protected StoreFixture fixture() {
    return fixture;
  }
}
