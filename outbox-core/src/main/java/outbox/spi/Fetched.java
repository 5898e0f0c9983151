package outbox.spi;

import outbox.model.OutboxEvent;

/**
 * An event as a poller gets it. One that was taken over was claimed before, and whoever had it is
 * dead or too slow: it may be the event that killed it.
 */
public record Fetched(OutboxEvent event, boolean takenOver) {}
