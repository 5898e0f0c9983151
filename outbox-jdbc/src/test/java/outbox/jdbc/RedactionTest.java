package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.internal.SqlErrors;

class RedactionTest {

  private static final String STATEMENT = "\n\nQuery is: INSERT INTO t VALUES ('4711-s3cret')";

  private static String print(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"08S01", "08006", "57P01"})
  void lostConnectionDoesNotShowTheStatementThatADriverAppends(String state) {
    SQLException lost =
        new SQLException(
            "Communications link failure" + STATEMENT,
            state,
            7,
            new IllegalStateException("Broken pipe" + STATEMENT));
    lost.setNextException(new SQLException(STATEMENT));

    SQLException redacted = Redaction.of(lost);

    assertThat(print(redacted))
        .contains("Communications link failure", "Broken pipe", "RedactionTest")
        .doesNotContain("s3cret");
    assertThat((Throwable) redacted.getNextException()).isNull();
    assertThat(redacted.getSQLState()).isEqualTo(state);
    assertThat(redacted.getErrorCode()).isEqualTo(7);
    assertThat(SqlErrors.isConnectionFailure(redacted)).isTrue();
  }

  @Test
  void exhaustedPoolIsRecognisedByItsClass() {
    SQLException failure =
        new SQLTransientConnectionException("timed out", new SQLException("refused" + STATEMENT));

    SQLException redacted = Redaction.of(failure);

    assertThat((Throwable) redacted).isInstanceOf(SQLTransientConnectionException.class);
    assertThat(print(redacted)).contains("timed out", "refused").doesNotContain("s3cret");
  }

  @Test
  void connectionFailureInOneLineIsLeftAsItIs() {
    SQLException failure = new SQLTransientConnectionException("timed out", new SQLException("no"));

    assertThat((Throwable) Redaction.of(failure)).isSameAs(failure);
  }

  /** PostgreSQL's driver begins the text of a batch with the statement and all its values. */
  @Test
  void batchThatTellsOfNoOtherFailureTellsNothing() {
    SQLException batch =
        new BatchUpdateException(
            "Batch entry 0 UPDATE t SET x = '4711-s3cret' was aborted", "40001", new int[0]);

    assertThat(print(Redaction.of(batch))).contains("40001").doesNotContain("s3cret");
  }
}
