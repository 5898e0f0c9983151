package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkTimeoutTest {

  private final List<Integer> set = new ArrayList<>();

  @Test
  void callRunsUnderTheTimeoutAndTheConnectionIsLeftAsItWas() throws SQLException {
    int during = NetworkTimeout.during(connection(0), () -> set.get(0));

    assertThat(during).isEqualTo(30_000);
    assertThat(set).containsExactly(30_000, 0);
  }

  @Test
  void connectionIsLeftAsItWasAfterAFailure() {
    assertThatThrownBy(
            () ->
                NetworkTimeout.during(
                    connection(90_000),
                    () -> {
                      throw new SQLException("no answer");
                    }))
        .isInstanceOf(SQLException.class);

    assertThat(set).containsExactly(30_000, 90_000);
  }

  @Test
  void shorterTimeoutStays() throws SQLException {
    assertThat(NetworkTimeout.<String>during(connection(500), () -> "ran")).isEqualTo("ran");

    assertThat(set).isEmpty();
  }

  @Test
  void driverWithoutTimeoutsIsUsedAsItIs() throws SQLException {
    assertThat(NetworkTimeout.<String>during(connection(null), () -> "ran")).isEqualTo("ran");
  }

  private Connection connection(Integer timeout) {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (timeout == null) {
                throw new SQLFeatureNotSupportedException(method.getName());
              }
              if (method.getName().equals("getNetworkTimeout")) {
                return timeout;
              }
              set.add((Integer) arguments[1]);
              return null;
            });
  }
}
