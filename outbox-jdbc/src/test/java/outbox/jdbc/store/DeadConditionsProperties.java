package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import outbox.EventEnvelope;
import outbox.jdbc.schema.OutboxSchema;
import outbox.model.DeadFilter;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

class DeadConditionsProperties {

  private static final H2OutboxStore STORE = new H2OutboxStore();
  private static Database database;
  private static Connection connection;

  @BeforeContainer
  static void connect() throws SQLException {
    database = Databases.h2().fresh();
    OutboxSchema.of("h2").apply(database.dataSource());
    connection = database.dataSource().getConnection();
    connection.setAutoCommit(false);
  }

  @AfterContainer
  static void disconnect() throws SQLException {
    connection.close();
    database.close();
  }

  @Property
  void noCharacterOfTheWantedTextHasASpecialMeaning(
      @ForAll("errors") String error, @ForAll("wanted") String text) throws SQLException {
    EventEnvelope event = EventEnvelope.ofJson("T", "{}");
    STORE.insertNew(connection, event);
    STORE.markDead(connection, event.eventId(), error);

    int found = STORE.countDead(connection, DeadFilter.all().withErrorText(text), 10);

    connection.rollback();
    assertThat(found).isEqualTo(lower(error).contains(lower(text)) ? 1 : 0);
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  @Provide
  Arbitrary<String> errors() {
    return Arbitraries.strings().withChars("aB!%_\\'[]?").ofMinLength(1).ofMaxLength(12);
  }

  @Provide
  Arbitrary<String> wanted() {
    return Arbitraries.strings().withChars("Ab!%_\\'[]?").ofMinLength(1).ofMaxLength(3);
  }
}
