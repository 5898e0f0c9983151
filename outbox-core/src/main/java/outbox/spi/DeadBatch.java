package outbox.spi;

import outbox.model.DeadQuery.Position;
import outbox.util.Nullable;

/**
 * What became of a page of dead events. If fewer were changed than the query asked for, there are
 * no more.
 *
 * @param changed how many were replayed or discarded
 * @param last where the page ended; null if nothing was changed
 */
public record DeadBatch(int changed, @Nullable Position last) {}
