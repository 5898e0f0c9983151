package outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafeLoggerTest {

  private static final String FORGED = "order-1\r\n2030-01-01 ERROR all \u001b[31mlost\u202e{0}";
  private static final String VISIBLE =
      "order-1\\r\\n2030-01-01 ERROR all \\u001b[31mlost\\u202e{0}";

  private final java.util.logging.Logger backend =
      java.util.logging.Logger.getLogger(SafeLoggerTest.class.getName());
  private final Logger log = SafeLogger.of(SafeLoggerTest.class);
  private final List<LogRecord> records = new ArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();
  private Throwable failsWith;
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          record.getSourceClassName(); // found by the stack, which is gone later
          records.add(record);
          if (failsWith instanceof Error error) {
            throw error;
          } else if (failsWith instanceof RuntimeException failure) {
            throw failure;
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void capture() {
    backend.setLevel(Level.ALL);
    backend.setUseParentHandlers(false);
    backend.addHandler(handler);
  }

  @AfterEach
  void release() {
    backend.removeHandler(handler);
    backend.setUseParentHandlers(true);
    backend.setLevel(null);
  }

  private String line() {
    assertThat(records).hasSize(1);
    return new SimpleFormatter().formatMessage(records.get(0));
  }

  private List<String> printed() {
    return new SimpleFormatter().format(records.get(0)).lines().toList();
  }

  @Test
  void textStaysInItsLineHoweverItIsGiven() {
    Supplier<String> supplier = () -> "id=" + FORGED;
    log.log(Logger.Level.ERROR, "id=" + FORGED);
    log.log(Logger.Level.ERROR, supplier);
    log.log(Logger.Level.ERROR, supplier, new IllegalStateException());
    log.log(Logger.Level.ERROR, "id=" + FORGED, new IllegalStateException());
    log.log(Logger.Level.ERROR, "id={0}", FORGED);
    log.log(Logger.Level.ERROR, new Id(FORGED));

    assertThat(records)
        .hasSize(6)
        .extracting(record -> new SimpleFormatter().formatMessage(record))
        .containsOnly("id=" + VISIBLE);
  }

  @ParameterizedTest
  @CsvSource({
    "0000, \\u0000",
    "0009, \\t",
    "000A, \\n",
    "000D, \\r",
    "001B, \\u001b",
    "007F, \\u007f",
    "0085, \\u0085",
    "009B, \\u009b",
    "200F, \\u200f",
    "2028, \\u2028",
    "2029, \\u2029",
    "202E, \\u202e",
    "2066, \\u2066",
    "FEFF, \\ufeff",
    "D800, \\ud800",
    "E0041, \\udb40\\udc41",
  })
  void whatWouldBeObeyedIsSpelledOut(String hex, String visible) {
    String text = "a" + Character.toString(Integer.parseInt(hex, 16)) + "b";

    assertThat(SafeLogger.visible(text)).isEqualTo("a" + visible + "b");
  }

  @Test
  void everythingElseIsTheSame() {
    String text = "order-42 {0} %s ${x} \\n Größe 注文 🚀 שלום";

    assertThat(SafeLogger.visible(text)).isSameAs(text);
  }

  @Test
  void messagesOfExceptionsStayInTheirLines() {
    Exception failure = new IllegalStateException(FORGED, new IllegalArgumentException(FORGED));
    failure.addSuppressed(new UnsupportedOperationException(FORGED));

    log.log(Logger.Level.ERROR, "failed", failure);

    assertThat(printed())
        .contains(
            "java.lang.IllegalStateException: " + VISIBLE,
            "Caused by: java.lang.IllegalArgumentException: " + VISIBLE,
            "\tSuppressed: java.lang.UnsupportedOperationException: " + VISIBLE)
        .noneMatch(line -> line.startsWith("2030-01-01"))
        .anyMatch(line -> line.contains("SafeLoggerTest.messagesOfExceptionsStayInTheirLines"));
  }

  @Test
  void exceptionThatIsHarmlessIsPassedOnAsItIs() {
    Exception failure = new IllegalStateException("outer", new IllegalArgumentException("inner"));

    log.log(Logger.Level.ERROR, "failed", failure);

    assertThat(records.get(0).getThrown()).isSameAs(failure);
  }

  @Test
  void lineSaysWhereItComesFrom() {
    log.log(Logger.Level.WARNING, () -> "here");

    assertThat(records.get(0).getSourceClassName()).isEqualTo(SafeLoggerTest.class.getName());
    assertThat(records.get(0).getLoggerName()).isEqualTo(SafeLoggerTest.class.getName());
    assertThat(line()).isEqualTo("here");
  }

  @Test
  void nothingIsMadeOfWhatIsNotLogged() {
    backend.setLevel(Level.OFF);

    logWhatCannotBeTold();

    assertThat(asked).hasValue(0);
    assertThat(records).isEmpty();
  }

  @Test
  void messageThatCannotBeMadeConcernsNobody() {
    assertThatCode(this::logWhatCannotBeTold).doesNotThrowAnyException();

    assertThat(asked.get()).isPositive();
    assertThat(records)
        .extracting(record -> new SimpleFormatter().formatMessage(record))
        .contains("a message could not be made: java.lang.AssertionError");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void backendThatThrowsConcernsNobody(boolean fails) {
    failsWith = fails ? new NoClassDefFoundError("unloaded") : new IllegalStateException("closed");

    assertThatCode(
            () -> {
              log.log(Logger.Level.ERROR, "text");
              log.log(Logger.Level.ERROR, () -> "text");
              log.log(Logger.Level.ERROR, () -> "text", new IllegalStateException());
              log.log(Logger.Level.ERROR, "text", new IllegalStateException());
              log.log(Logger.Level.ERROR, "text={0}", 1);
              log.log(Logger.Level.ERROR, new Id("1"));
            })
        .doesNotThrowAnyException();
    assertThat(records).hasSize(6);
  }

  private void logWhatCannotBeTold() {
    Throwable unaskable =
        new RuntimeException() {
          @Override
          public String getMessage() {
            throw asked();
          }
        };
    Supplier<String> supplier =
        () -> {
          throw asked();
        };
    log.log(Logger.Level.ERROR, supplier);
    log.log(Logger.Level.ERROR, "failed", unaskable);
    log.log(Logger.Level.ERROR, "{0}", new Unaskable());
    log.log(Logger.Level.ERROR, new Unaskable());
  }

  private AssertionError asked() {
    asked.incrementAndGet();
    return new AssertionError("asked");
  }

  private record Id(String text) {
    @Override
    public String toString() {
      return "id=" + text;
    }
  }

  private final class Unaskable {
    @Override
    public String toString() {
      throw asked();
    }
  }
}
