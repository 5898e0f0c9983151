package outbox.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a refusal without its stack trace. */
final class RefusalAnalyzer extends AbstractFailureAnalyzer<RefusedException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, RefusedException refused) {
    return new FailureAnalysis(refused.problem(), refused.remedy(), refused);
  }
}
