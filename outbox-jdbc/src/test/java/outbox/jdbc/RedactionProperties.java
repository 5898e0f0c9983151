package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.WithNull;
import outbox.internal.ErrorText;

class RedactionProperties {

  private static final String DATA = "4111-1111";

  @Property
  void whatMayQuoteARowIsNotTold(
      @ForAll("states") @WithNull String state,
      @ForAll("messages") @WithNull String message,
      @ForAll int code) {
    SQLException redacted = Redaction.of(new SQLException(message, state, code));

    assertThat(redacted.getSQLState()).isEqualTo(state);
    assertThat(redacted.getErrorCode()).isEqualTo(code);
    if (!isOfTheStatement(state)) {
      assertThat(ErrorText.of(redacted)).doesNotContain(DATA);
    } else if (!isOfTheConnection(state)) {
      assertThat(redacted.getMessage().lines()).hasSizeLessThanOrEqualTo(1);
    }
  }

  /** Its own text repeats the statement with all values. */
  @Property
  void batchIsToldByWhatFailedInIt(
      @ForAll("states") @WithNull String state, @ForAll("states") @WithNull String other) {
    BatchUpdateException batch =
        new BatchUpdateException("INSERT ('" + DATA + "')", other, 1, new int[0]);
    batch.setNextException(new SQLException("refused", state, 2));

    SQLException redacted = Redaction.of(batch);

    assertThat(ErrorText.of(redacted)).doesNotContain(DATA);
    assertThat(redacted.getNextException() == null).isTrue();
    assertThat(redacted.getSQLState()).isEqualTo(state);
  }

  private static boolean isOfTheStatement(String state) {
    return state != null && state.matches("(?s)(08|25|28|3D|3F|40|41|42|53|55|57|90).*|HYT00");
  }

  private static boolean isOfTheConnection(String state) {
    return state.matches("(?s)(08|53|57P).*");
  }

  @Provide
  Arbitrary<String> states() {
    return Arbitraries.oneOf(
        Arbitraries.of("", "2", "22001", "23505", "42P01", "08006", "HYT00", "HY000", "57014"),
        Arbitraries.strings().numeric().withCharRange('A', 'Z').ofLength(5));
  }

  @Provide
  Arbitrary<String> messages() {
    return Arbitraries.of(
        DATA, "refused\nDetail: " + DATA, "\n" + DATA, "refused\r" + DATA + "\r\n", "");
  }
}
