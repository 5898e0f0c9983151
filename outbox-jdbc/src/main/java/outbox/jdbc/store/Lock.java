package outbox.jdbc.store;

import java.time.Instant;

/** What a claim writes into rows that nobody has locked, or not since {@code expiry}. */
record Lock(String ownerId, Instant lockedAt, Instant expiry) {}
