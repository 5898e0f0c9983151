package outbox.benchmarks.contender;

/** What becomes of an event's row when it was delivered. */
public enum Completion {
  KEEP("kept as DONE"),
  DELETE("deleted");

  private final String title;

  Completion(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
