package outbox.spring.boot;

/** Refusals of what the outbox itself refused. */
final class Refusals {

  private Refusals() {}

  static RefusedException ofSettings(RuntimeException cause) {
    return new RefusedException(
        "The outbox can't be set up like this: %s.".formatted(cause.getMessage()),
        "Correct the outbox.* property, or the bean, that this comes from.",
        cause);
  }
}
