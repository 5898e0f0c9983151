package outbox.poller;

/** What one poll came to, as far as it matters for when to poll again. */
enum PollResult {
  /** As many events as were asked for: there may be more. */
  FULL,
  /** Fewer events than were asked for. */
  DRAINED,
  /** The handler has no room now, or had so little that more is better fetched in a moment. */
  NO_ROOM,
  /** The handler refused an event although there seemed to be room. */
  REFUSED,
  /** The events could not be fetched. */
  FAILED
}
