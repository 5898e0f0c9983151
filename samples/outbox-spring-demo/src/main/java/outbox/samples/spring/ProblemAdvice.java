package outbox.samples.spring;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/** Answers errors with a problem document (RFC 9457) that says which values are invalid and why. */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {

  @Override
  protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
      MethodArgumentNotValidException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    explain(
        e.getBody(),
        e.getFieldErrors().stream()
            .map(error -> error.getField() + " " + error.getDefaultMessage()));
    return handleExceptionInternal(e, e.getBody(), headers, status, request);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
      HandlerMethodValidationException e,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    explain(
        e.getBody(),
        e.getParameterValidationResults().stream()
            .flatMap(
                result ->
                    result.getResolvableErrors().stream()
                        .map(
                            error ->
                                result.getMethodParameter().getParameterName()
                                    + " "
                                    + error.getDefaultMessage())));
    return handleExceptionInternal(e, e.getBody(), headers, status, request);
  }

  private static void explain(ProblemDetail problem, Stream<String> errors) {
    problem.setDetail(errors.sorted().collect(Collectors.joining("; ")));
  }
}
