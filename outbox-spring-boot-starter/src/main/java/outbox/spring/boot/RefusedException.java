package outbox.spring.boot;

import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/** The application can't start like this; says what is wrong and what to write instead. */
final class RefusedException extends OutboxException {

  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String remedy;

  RefusedException(String problem, String remedy) {
    this(problem, remedy, null);
  }

  RefusedException(String problem, String remedy, @Nullable Throwable cause) {
    super(problem + " " + remedy, cause);
    this.problem = problem;
    this.remedy = remedy;
  }

  String problem() {
    return problem;
  }

  String remedy() {
    return remedy;
  }
}
