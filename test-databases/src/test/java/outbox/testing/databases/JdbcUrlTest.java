package outbox.testing.databases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {
  private static final String URL = "jdbc:mariadb://db.test:3306/app?user=u&password=secret";

  @Test
  void anotherDatabaseOrDriverKeepsTheRest() {
    JdbcUrl url = JdbcUrl.parse(URL, new MariaDbEngine());

    assertThat(url.text()).isEqualTo(URL);
    assertThat(url.withDatabase("other").withScheme("mysql").text())
        .isEqualTo("jdbc:mysql://db.test:3306/other?user=u&password=secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:mysql://db.test/app?user=u&password=secret",
        "jdbc:mariadb://db.test?user=u&password=secret",
        "mariadb://db.test/app?user=u&password=secret",
        "jdbc:mariadb://db.test/app?user=u\n&password=secret"
      })
  void anUnusableUrlIsRefusedWithoutShowingThePassword(String url) {
    assertThatThrownBy(() -> JdbcUrl.parse(url, new MariaDbEngine()))
        .isInstanceOf(DatabaseUnavailableException.class)
        .hasMessageStartingWith("OUTBOX_TEST_MARIADB_URL must be jdbc:mariadb://")
        .hasMessageContaining("got: " + url.substring(0, url.indexOf('?')))
        .hasMessageNotContaining("secret");
  }

  @Test
  void thePasswordIsNotPrinted() {
    assertThat(JdbcUrl.parse(URL, new MariaDbEngine()))
        .hasToString("jdbc:mariadb://db.test:3306/app");
  }
}
