package outbox.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import outbox.jdbc.TableName;

class OutboxSchemaTest {

  @Test
  void schemaMayBeCalledLikeOneOfOurTables() {
    OutboxSchema schema = OutboxSchema.of("h2").withTable(TableName.of("outbox_key", "events"));

    assertThat(schema.ddl())
        .contains("outbox_key.events (", "outbox_key.outbox_node (", "outbox_key.outbox_key (")
        .doesNotContain("outbox_key.outbox_key.");
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
