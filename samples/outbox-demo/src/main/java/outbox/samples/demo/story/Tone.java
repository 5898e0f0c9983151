package outbox.samples.demo.story;

/** How a moment should look. */
public enum Tone {
  PLAIN,
  GOOD,
  TROUBLE,
  BAD,
  /** Belongs to the moment before. */
  DETAIL
}
