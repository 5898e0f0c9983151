package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.jdbc.TableName;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;
import outbox.util.JsonCodec;

class JdbcOutboxStoresTest {

  @Test
  void allStoresAreRegistered() {
    assertThat(JdbcOutboxStores.all())
        .extracting(AbstractJdbcOutboxStore::name)
        .containsExactlyInAnyOrder("h2", "mariadb", "mysql", "postgresql");
  }

  @ParameterizedTest
  @CsvSource({"h2, H2", "H2, H2", "PostgreSQL, Postgres", "MYSQL, MySql", "MariaDB, MariaDb"})
  void namesAreFoundInAnyCase(String name, String store) {
    assertThat(JdbcOutboxStores.get(name).getClass().getSimpleName())
        .isEqualTo(store + "OutboxStore");
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:h2:mem:x, h2",
    "jdbc:postgresql://db/app, postgresql",
    "jdbc:mysql://db/app, mysql",
    "JDBC:MySQL://db/app, mysql",
    "jdbc:tidb://db/app, mysql",
    "jdbc:mariadb://db/app, mariadb"
  })
  void urlsAreRecognisedByPrefix(String url, String name) {
    assertThat(JdbcOutboxStores.detect(url).name()).isEqualTo(name);
  }

  @Test
  void theUnknownIsRefusedWithWhatIsKnownAndWithoutPasswords() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JdbcOutboxStores.get("oracle"))
        .withMessageContaining("got: oracle")
        .withMessageContaining("postgresql [jdbc:postgresql:]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JdbcOutboxStores.detect("jdbc:oracle:thin:me/secret@db"))
        .withMessageContaining("jdbc:oracle:…")
        .withMessageContaining("h2 [jdbc:h2:]")
        .satisfies(e -> assertThat(e).hasMessageNotContaining("secret"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JdbcOutboxStores.detect(answering("jdbc:oracle:thin:@db", "Oracle")))
        .withMessageContaining("Oracle at jdbc:oracle:…");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:other:me:secret@db",
        "jdbc:other:user=me,password=secret",
        "jdbc:other:me\nsecret",
        "secret",
        "me:secret@db",
        "postgres://me:secret@db"
      })
  void passwordIsNotToldWhereverItStands(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JdbcOutboxStores.detect(url))
        .satisfies(e -> assertThat(e).hasMessageNotContaining("secret"));
  }

  @Test
  void passwordBehindALineBreakIsNotToldEither() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JdbcOutboxStores.detect("jdbc:other://db?user=me\n&password=secret"))
        .withMessageContaining("jdbc:other:…")
        .satisfies(e -> assertThat(e).hasMessageNotContaining("secret"));
  }

  @Test
  void realDatabasesAreDetectedByTheirConnections() {
    Map<Database, String> names =
        Map.of(
            Databases.h2(), "h2",
            Databases.h2MySqlMode(), "h2",
            Databases.postgres(), "postgresql",
            Databases.mariaDb(), "mariadb",
            Databases.mariaDbViaMySqlDriver(), "mysql");

    assertThat(names)
        .allSatisfy(
            (database, name) -> {
              assertThat(JdbcOutboxStores.detect(database.dataSource()).name()).isEqualTo(name);
              assertThat(JdbcOutboxStores.detect(database.pooled()).name()).isEqualTo(name);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:p6spy:postgresql://db/app, PostgreSQL, postgresql",
    "jdbc:tracing:h2:mem:x, H2, h2",
    "jdbc:otel:mysql://db/app, MySQL, mysql",
    "jdbc:aws-wrapper:mariadb://db/app, MariaDB, mariadb",
    ", PostgreSQL, postgresql"
  })
  void aDriverThatHidesTheUrlIsSeenThrough(String url, String product, String name) {
    assertThat(JdbcOutboxStores.detect(answering(url, product)).name()).isEqualTo(name);
  }

  @Test
  void aCodecIsHandedOn() {
    JsonCodec codec = new MarkingCodec();

    assertThat(JdbcOutboxStores.detect("jdbc:h2:mem:x", codec).jsonCodec()).isSameAs(codec);
    assertThat(JdbcOutboxStores.detect(Databases.h2().dataSource(), codec).jsonCodec())
        .isSameAs(codec);
  }

  @Test
  void otherSettingsStayWhenOneChanges() {
    JsonCodec codec = new MarkingCodec();
    TableName table = TableName.of("billing", "events");

    for (AbstractJdbcOutboxStore store : JdbcOutboxStores.all()) {
      AbstractJdbcOutboxStore changed = store.withTable(table).withJsonCodec(codec);

      assertThat(changed).hasSameClassAs(store);
      assertThat(changed.table()).isEqualTo(table);
      assertThat(changed.jsonCodec()).isSameAs(codec);
      assertThat(changed.clock()).isSameAs(store.clock());
    }
  }

  @Test
  void aStoreThatCannotBeCopiedSaysWhatToDo() {
    AbstractJdbcOutboxStore foreign =
        new AbstractJdbcOutboxStore() {
          @Override
          public String name() {
            return "foreign";
          }

          @Override
          public List<String> jdbcUrlPrefixes() {
            return List.of("jdbc:foreign:");
          }
        };

    assertThatThrownBy(() -> foreign.withJsonCodec(JsonCodec.getDefault()))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("override copy");
  }

  /** A driver that answers what it is asked and has no database behind it. */
  private static DataSource answering(String url, String product) {
    Map<String, String> answers =
        Map.of("getURL", String.valueOf(url), "getDatabaseProductName", product);
    return proxy(
        DataSource.class,
        Map.of(
            "getConnection",
            proxy(
                Connection.class, Map.of("getMetaData", proxy(DatabaseMetaData.class, answers)))));
  }

  private static <T> T proxy(Class<T> type, Map<String, ?> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }

  private static final class MarkingCodec implements JsonCodec {
    @Override
    public String toJson(Map<String, String> headers) {
      return "{}";
    }

    @Override
    public Map<String, String> parseObject(String json) {
      return Map.of();
    }
  }
}
