package outbox.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import outbox.jdbc.TableName;

class OutboxSchemaProperties {

  private static final Pattern CREATED =
      Pattern.compile("(?:CREATE (?:TABLE|INDEX) IF NOT EXISTS|^  KEY) (\\S+)", Pattern.MULTILINE);

  @Property
  void everyStatementIsThereOnceAndWithoutComments(
      @ForAll("databases") String database, @ForAll("tables") TableName table) {
    OutboxSchema schema = OutboxSchema.of(database).withTable(table);

    List<String> statements = schema.statements();

    assertThat(statements)
        .allSatisfy(sql -> assertThat(sql).isNotBlank().doesNotContain("--", "\n\n"))
        .allSatisfy(sql -> assertThat(withoutBodies(sql)).doesNotContain(";"));
    assertThat(words(String.join(";", statements)))
        .isEqualTo(words(schema.ddl().replaceAll("--.*", "")));
  }

  @Property
  void whatIsCreatedHasNamesThatFitAndDiffer(
      @ForAll("databases") String database, @ForAll("tables") TableName table) {
    String ddl = OutboxSchema.of(database).withTable(table).ddl();

    List<String> names = CREATED.matcher(ddl).results().map(OutboxSchemaProperties::name).toList();

    assertThat(names).hasSizeGreaterThan(6).doesNotHaveDuplicates();
    assertThat(names).contains(table.toString().toLowerCase(Locale.ROOT));
    assertThat(names)
        .allSatisfy(
            name -> assertThat(name.substring(name.lastIndexOf('.') + 1)).hasSizeLessThan(64));
    if (!table.toString().contains("outbox_event")) {
      assertThat(ddl).doesNotContain("outbox_event");
    }
  }

  private static String name(MatchResult created) {
    return created.group(1).toLowerCase(Locale.ROOT);
  }

  private static String withoutBodies(String sql) {
    return sql.replaceAll("(?s)\\$\\$.*?\\$\\$", "");
  }

  private static String words(String sql) {
    return sql.replaceAll("\\s+", " ").replaceAll(" ?; ?", ";").replaceAll("^;|;$|^ | $", "");
  }

  @Provide
  Arbitrary<String> databases() {
    return Arbitraries.of("h2", "mariadb", "mysql", "postgresql");
  }

  @Provide
  Arbitrary<TableName> tables() {
    Arbitrary<String> names =
        Arbitraries.oneOf(
            Arbitraries.strings().alpha().withChars('_').ofMinLength(1).ofMaxLength(63),
            Arbitraries.strings().alpha().ofMinLength(50).ofMaxLength(63),
            Arbitraries.of("outbox_event", "outbox", "outbox_event_dead", "e"));
    return Combinators.combine(names.injectNull(0.5), names)
        .as(TableName::new)
        .filter(table -> !table.name().matches("(?i)outbox_(node|fence|lease|blocked|key)"));
  }
}
