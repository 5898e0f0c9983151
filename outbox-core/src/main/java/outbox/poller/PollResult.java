package outbox.poller;

/** What one poll came to, as far as it matters for when to poll again. */
enum PollResult {
  /** As many events as were asked for: there may be more. */
  FULL,
  /** Fewer events than were asked for, after something new, by this poll or full ones before. */
  SOME,
  /** Likewise, after nothing that was not known already. */
  DRAINED,
  /** The handler has taken a great many events and ended none. */
  SATED,
  /** The handler has no room now, or had so little that more is better fetched in a moment. */
  NO_ROOM,
  /** The handler refused an event although there seemed to be room. */
  REFUSED,
  /** The events could not be fetched. */
  FAILED;

  /** Whether all that is due was fetched. */
  boolean isAll() {
    return this == SOME || this == DRAINED;
  }
}
