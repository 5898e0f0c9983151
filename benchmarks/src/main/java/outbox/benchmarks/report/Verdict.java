package outbox.benchmarks.report;

/** Whether a line keeps to its bar. */
public enum Verdict {
  HOLDS("holds"),
  FALLS_SHORT("falls short"),
  NO_BAR(""),
  NOT_MEASURED("not measured");

  private final String title;

  Verdict(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }

  static Verdict of(boolean holds) {
    return holds ? HOLDS : FALLS_SHORT;
  }
}
