package outbox.dispatch;

/** A finished delivery whose outcome has to be written; {@code failures} counts what was tried. */
record Completion(Delivery delivery, Outcome outcome, int failures) {

  Completion(Delivery delivery, Outcome outcome) {
    this(delivery, outcome, 0);
  }

  Completion failedAgain() {
    return new Completion(delivery, outcome, failures + 1);
  }
}
