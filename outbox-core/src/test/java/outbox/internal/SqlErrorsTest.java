package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.junit.jupiter.api.Test;
import outbox.OutboxException;

class SqlErrorsTest {

  @Test
  void lostConnectionIsKnownByClassOrState() {
    assertThat(SqlErrors.isConnectionFailure(new SQLTransientConnectionException())).isTrue();
    assertThat(SqlErrors.isConnectionFailure(new SQLNonTransientConnectionException())).isTrue();
    assertThat(SqlErrors.isConnectionFailure(new SQLRecoverableException())).isTrue();
    assertThat(SqlErrors.isConnectionFailure(new SQLException("x", "08006"))).isTrue();
    assertThat(SqlErrors.isConnectionFailure(new SQLException("x", "57P01"))).isTrue();
  }

  @Test
  void lostConnectionIsFoundAmongTheCauses() {
    Exception wrapped =
        new OutboxException("a", new IllegalStateException(new SQLException("x", "08001")));

    assertThat(SqlErrors.isConnectionFailure(wrapped)).isTrue();
  }

  @Test
  void otherFailuresAreNotLostConnections() {
    assertThat(SqlErrors.isConnectionFailure(new SQLException("connection refused"))).isFalse();
    assertThat(SqlErrors.isConnectionFailure(new SQLException("x", "23505"))).isFalse();
    assertThat(SqlErrors.isConnectionFailure(new IllegalStateException())).isFalse();
  }

  @Test
  void databaseThatCanNotWriteNowIsToldFromARowThatNeverCan() {
    assertThat(List.of("08006", "25006", "40001", "40P01", "55P03", "57014", "HYT00", "90097"))
        .allMatch(state -> SqlErrors.isPassing(new SQLException("x", state)));
    assertThat(List.of(1205, 1213, 1290, 3024))
        .allMatch(code -> SqlErrors.isPassing(new SQLException("x", "HY000", code)));
    assertThat(SqlErrors.isPassing(new SQLException("x", "23505"))).isFalse();
    assertThat(SqlErrors.isPassing(new SQLException("x", "22001", 1406))).isFalse();
    assertThat(SqlErrors.isPassing(new SQLException())).isFalse();
  }

  @Test
  void circleOfCausesEnds() {
    Exception first = new Exception("first");
    first.initCause(new Exception("second", first));

    assertThat(SqlErrors.isConnectionFailure(first)).isFalse();
    assertThat(SqlErrors.isSqlFailure(first)).isFalse();
  }

  @Test
  void databaseFailureIsOursOrCausedBySql() {
    assertThat(SqlErrors.isSqlFailure(new OutboxException("x", null))).isTrue();
    assertThat(SqlErrors.isSqlFailure(new IllegalStateException(new SQLException()))).isTrue();
    assertThat(SqlErrors.isSqlFailure(new UnsupportedOperationException())).isFalse();
  }

  @Test
  void lockThatWasWaitedForInVainIsToldFromOtherConflicts() {
    assertThat(List.of("55P03", "HYT00"))
        .allMatch(state -> SqlErrors.isLockTimeout(new SQLException("x", state)));
    assertThat(SqlErrors.isLockTimeout(new SQLException("x", "HY000", 1205))).isTrue();
    assertThat(SqlErrors.isLockTimeout(SqlErrors.lockedRow())).isTrue();
    assertThat(SqlErrors.isPassing(SqlErrors.lockedRow())).isTrue();
    assertThat(SqlErrors.isConnectionFailure(SqlErrors.lockedRow())).isFalse();
    assertThat(SqlErrors.isLockTimeout(new SQLException("x", "40001", 1213))).isFalse();
    assertThat(SqlErrors.isLockTimeout(new SQLException("x", "57014"))).isFalse();
  }
}
