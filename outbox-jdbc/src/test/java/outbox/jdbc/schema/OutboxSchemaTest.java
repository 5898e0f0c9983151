package outbox.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.jdbc.TableName;

class OutboxSchemaTest {

  @Test
  void schemaMayBeCalledLikeOneOfOurTables() {
    OutboxSchema schema = OutboxSchema.of("h2").withTable(TableName.of("outbox_key", "events"));

    assertThat(schema.ddl())
        .contains("outbox_key.events (", "outbox_key.outbox_node (", "outbox_key.outbox_key (")
        .doesNotContain("outbox_key.outbox_key.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"outbox_node", "outbox_fence", "outbox_lease", "OUTBOX_BLOCKED", "outbox_key"})
  void eventTableMayNotBeCalledLikeOneThatOrderNeeds(String name) {
    OutboxSchema schema = OutboxSchema.of("h2");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> schema.withTable(TableName.of(name)))
        .withMessageStartingWith("table name must be none of [outbox_node,");
  }

  @Test
  void cutIndexNamesOfTwoTablesDifferAlsoIfTheirHashCodesDoNot() {
    String one = "t".repeat(60) + "Aa";
    String other = "t".repeat(60) + "BB";

    assertThat(one).hasSameHashCodeAs(other);
    assertThat(pendingIndex(one)).hasSize(63).isNotEqualTo(pendingIndex(other));
  }

  private static String pendingIndex(String table) {
    String ddl = OutboxSchema.of("h2").withTable(TableName.of(table)).ddl();
    return ddl.replaceFirst("(?s).*INDEX IF NOT EXISTS (\\w+_pending).*", "$1");
  }
}
