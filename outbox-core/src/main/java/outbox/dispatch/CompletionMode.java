package outbox.dispatch;

/** What becomes of an event's row when the event has been delivered. */
public enum CompletionMode {
  /** It stays, DONE, until it is purged. */
  MARK_DONE,
  /** It is deleted at once: less work for the database, and no history. */
  DELETE
}
