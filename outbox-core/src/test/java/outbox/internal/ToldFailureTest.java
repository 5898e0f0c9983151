package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ToldFailureTest {

  private static String hide(String text) {
    return text.replace("secret", "*");
  }

  private static String print(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Test
  void failureThatMayBeToldIsTheSame() {
    Exception failure = new IllegalStateException("outer", new IllegalArgumentException("inner"));

    assertThat(ToldFailure.of(failure, ToldFailureTest::hide)).isSameAs(failure);
  }

  @Test
  void classesStacksCausesAndSuppressedOnesStay() {
    Exception failure = new IllegalStateException("a secret", new Exception("no message", null));
    failure.getCause().addSuppressed(new IllegalArgumentException("a secret"));

    Throwable told = ToldFailure.of(failure, ToldFailureTest::hide);

    assertThat(print(told)).isEqualTo(print(failure).replace("secret", "*"));
  }

  @Test
  void whatIsToldTwiceNamesItsClassOnce() {
    Throwable told =
        ToldFailure.of(new IllegalStateException("a secret word"), ToldFailureTest::hide);

    assertThat(ToldFailure.of(told, text -> text.replace("word", "#")))
        .hasToString("java.lang.IllegalStateException: a * #");
  }

  @Test
  void textOfItsOwnIsNoWayAround() {
    Throwable failure =
        new IllegalStateException("harmless") {
          @SuppressWarnings("OverrideThrowableToString")
          @Override
          public String toString() {
            return "secret";
          }
        };

    assertThat(print(ToldFailure.of(failure, ToldFailureTest::hide))).doesNotContain("secret");
  }

  @Test
  void failureThatFailsToAnswerIsToldByItsClass() {
    Throwable failure =
        new IllegalStateException() {
          @Override
          public String getMessage() {
            throw new StackOverflowError();
          }

          @Override
          public synchronized Throwable getCause() {
            throw new IllegalStateException("secret");
          }

          @Override
          public StackTraceElement[] getStackTrace() {
            throw new IllegalStateException("secret");
          }
        };

    assertThat(print(ToldFailure.of(failure, ToldFailureTest::hide)))
        .startsWith(failure.getClass().getName())
        .doesNotContain("secret");
  }

  @Test
  void circlesAndEndlessChainsEnd() {
    Exception circle = new IllegalStateException("one");
    circle.initCause(new IllegalStateException("two", circle));
    Exception chain = new IllegalStateException("first");
    for (int i = 0; i < 20_000; i++) {
      chain = new IllegalStateException("next", chain);
    }
    Exception wide = new IllegalStateException("wide");
    for (int i = 0; i < 10_000; i++) {
      wide.addSuppressed(new IllegalStateException("suppressed"));
    }

    assertThat(print(ToldFailure.of(circle, ToldFailureTest::hide))).contains("one", "two");
    assertThat(print(ToldFailure.of(chain, ToldFailureTest::hide)).split("Caused by")).hasSize(50);
    assertThat(print(ToldFailure.of(wide, ToldFailureTest::hide)).split("Suppressed")).hasSize(50);
  }
}
