package outbox.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;

class FailureTextTest {

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "\u0001", "\0\u2028", "\u0085 \u202E"})
  void redactorThatSaysNothingVisibleIsReplacedByTheClass(String redacted) {
    assertThat(told(redacted, 4000)).isEqualTo("java.lang.IllegalStateException");
  }

  @ParameterizedTest
  @ValueSource(strings = {" !", "\n\n!", "\u001B !"})
  void shortTextBeginsWithSomethingVisible(String redacted) {
    assertThat(told(redacted, 1)).isEqualTo("!");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\uD83D\uDE80", " \uD83D\uDE80!"})
  void characterThatDoesNotFitIsReplacedByTheClassToo(String redacted) {
    assertThat(told(redacted, 1)).isEqualTo("j");
  }

  private static String told(String redacted, int maxLength) {
    EventEnvelope event = EventEnvelope.ofJson("T", "{}");
    return new FailureText((e, failure) -> redacted, maxLength)
        .of(event, new IllegalStateException("refused"));
  }
}
