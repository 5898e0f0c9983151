package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class JdbcOutboxStoresProperties {

  private static final String SECRET = "QZQZQ";

  @Property
  void urlIsRecognisedOrRefusedWithoutItsSecrets(@ForAll("urls") String url) {
    try {
      String name = JdbcOutboxStores.detect(url).name();

      assertThat(url).startsWithIgnoringCase("jdbc:");
      assertThat(JdbcOutboxStores.get(name).jdbcUrlPrefixes())
          .anyMatch(prefix -> url.regionMatches(true, 0, prefix, 0, prefix.length()));
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageNotContaining(SECRET).hasMessageContaining("known are:");
    }
  }

  @Provide
  Arbitrary<String> urls() {
    Arbitrary<String> beginnings =
        Arbitraries.of(
            "jdbc:other:",
            "JDBC:H2:",
            "jdbc:postgresql:",
            "jdbc:p6spy:mysql:",
            "postgres:",
            "",
            "jdbc:");
    Arbitrary<String> separators = Arbitraries.strings().withChars("/;?@:=&,\n me").ofMaxLength(6);
    return Combinators.combine(beginnings, separators, separators)
        .as((beginning, before, after) -> beginning + before + SECRET + after)
        .filter(url -> !url.matches("(?is)jdbc:" + SECRET + ".*"));
  }
}
