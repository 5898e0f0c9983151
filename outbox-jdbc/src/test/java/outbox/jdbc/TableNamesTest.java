package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.jdbc.purge.H2EventPurger;
import outbox.jdbc.store.H2OutboxStore;

class TableNamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"outbox_event", "_x", "A1", "OUTBOX", "billing_outbox"})
  void plainIdentifiersAreReturnedAsTheyAre(String name) {
    assertThat(TableNames.validate(name)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "1st",
        "a-b",
        "a b",
        "a.b",
        "a;DROP TABLE x",
        "a\"",
        "a`",
        "a'",
        "größe",
        "a\n",
        "a--",
        "outbox_event\u0000"
      })
  void anythingElseIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TableNames.validate(name))
        .withMessageStartingWith("table name must be a plain identifier");
    assertThatIllegalArgumentException().isThrownBy(() -> new H2OutboxStore(name));
    assertThatIllegalArgumentException().isThrownBy(() -> new H2EventPurger(name));
    assertThatIllegalArgumentException().isThrownBy(() -> TableName.of(name, "outbox_event"));
  }

  @Test
  void lengthEndsAtSixtyThree() {
    assertThat(TableNames.validate("a".repeat(63))).hasSize(63);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TableNames.validate("a".repeat(64)))
        .withMessage("table name must be at most 63 characters, got: 64 characters");
  }

  @Test
  void nullIsRefused() {
    assertThatNullPointerException().isThrownBy(() -> TableNames.validate(null));
    assertThatNullPointerException().isThrownBy(() -> new H2OutboxStore(null));
    assertThatNullPointerException().isThrownBy(() -> new H2EventPurger(null));
    assertThatNullPointerException().isThrownBy(() -> TableName.of(null, "x"));
  }

  @Test
  void aSchemaGoesBeforeTheName() {
    assertThat(TableName.parse("billing.outbox_event"))
        .isEqualTo(TableName.of("billing", "outbox_event"))
        .hasToString("billing.outbox_event");
    assertThat(TableName.parse("outbox_event"))
        .isEqualTo(TableName.DEFAULT)
        .hasToString("outbox_event");
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "a.", ".b", "a.b.c", "a.b;c", "a\".b"})
  void aBrokenQualifiedNameIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> TableName.parse(text));
  }
}
