package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ErrorTextTest {

  @Test
  void classAndMessageAreTold() {
    assertThat(ErrorText.of(new IOException("refused"))).isEqualTo("java.io.IOException: refused");
  }

  @Test
  void textIsNeverEmpty() {
    assertThat(ErrorText.of(new IOException())).isEqualTo("java.io.IOException");
    assertThat(ErrorText.of(new IOException("  "))).isEqualTo("java.io.IOException");
  }

  @Test
  void causesFollow() {
    Exception failure = new IllegalStateException("outer", new IOException("inner"));

    assertThat(ErrorText.of(failure))
        .isEqualTo("java.lang.IllegalStateException: outer; caused by java.io.IOException: inner");
  }

  @Test
  void circleOfCausesEnds() {
    Exception first = new Exception("first");
    Exception second = new Exception("second", first);
    first.initCause(second);

    assertThat(ErrorText.of(first)).contains("first").contains("second").hasSizeLessThan(200);
  }

  @Test
  void longTextIsCut() {
    assertThat(ErrorText.of(new IOException("x".repeat(10_000))))
        .hasSize(ErrorText.MAX_LENGTH)
        .startsWith("java.io.IOException: xxx");
    assertThat(ErrorText.truncate("x".repeat(4000))).hasSize(4000);
    assertThat(ErrorText.truncate("x".repeat(4001))).hasSize(4000);
  }

  @Test
  void cutNeverSplitsAPair() {
    String text = "x" + "\uD83D\uDE80".repeat(2500);

    assertThat(ErrorText.truncate(text)).isEqualTo("x" + "\uD83D\uDE80".repeat(1999));
  }

  @Test
  void manyLongCausesStayBounded() {
    Throwable failure = new IOException("x".repeat(3000));
    for (int i = 0; i < 100; i++) {
      failure = new IllegalStateException("y".repeat(3000), failure);
    }

    assertThat(ErrorText.of(failure)).hasSize(ErrorText.MAX_LENGTH);
  }

  @Test
  void failureThatCannotDescribeItselfIsNamed() {
    Throwable broken =
        new IllegalStateException() {
          @Override
          public String getMessage() {
            throw new StackOverflowError();
          }

          @Override
          public synchronized Throwable getCause() {
            throw new IllegalStateException();
          }
        };

    assertThat(ErrorText.of(broken)).isEqualTo(broken.getClass().getName());
  }

  @Test
  void messagesCanBeChangedAndClassesStay() {
    Exception failure = new IllegalStateException("outer", new IOException("inner"));

    assertThat(ErrorText.of(failure, message -> "*"))
        .isEqualTo("java.lang.IllegalStateException: *; caused by java.io.IOException: *");
    assertThat(ErrorText.classNames(failure))
        .isEqualTo("java.lang.IllegalStateException; caused by java.io.IOException");
  }

  @Test
  void nothingIsLeftThatATerminalOrALogWouldObey() {
    assertThat(ErrorText.harmless("a\r\nERROR forged\tb\u001B[31mc\u2028d\u202Ee\u0085f\0g"))
        .isEqualTo("a ERROR forged b [31mc d e f g");
  }

  @Test
  void lengthCanBeLess() {
    assertThat(ErrorText.truncate("x".repeat(50), 10)).hasSize(10);
    assertThat(ErrorText.truncate("123456789\uD83D\uDE80", 10)).isEqualTo("123456789");
  }
}
