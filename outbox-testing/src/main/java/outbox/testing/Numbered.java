package outbox.testing;

import outbox.model.EventDetails;

/**
 * A pending row with its number.
 *
 * @param isOpen whether it is so only for a transaction that has not ended
 */
record Numbered(long seq, EventDetails row, boolean isOpen) {}
