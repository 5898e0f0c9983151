package outbox.internal;

import outbox.EventEnvelope;

/**
 * Decides how many events to fetch at once, so that they fit into memory: by the largest of the
 * recent ones, or of all possible ones as long as none is known. While events are small, each fetch
 * may be four times the one before.
 *
 * <p>A large event among small ones is expected again, less with every fetch. What can't be
 * foreseen is a row of large events right after small ones: there the store ends the fetch at
 * {@link #bytes}. If a fetch fails for want of memory, or for any reason, the next one is as small
 * as the first was.
 */
public final class FetchSize {

  /** What one fetch may weigh; drivers hold the rows a second time while they are read. */
  private static final long MOST_BYTES = 16L << 20;

  private static final int GROWTH = 4;
  private static final int FORGOTTEN_PER_FETCH = 8;
  private static final int FIRST = (int) (MOST_BYTES / EventEnvelope.MAX_PAYLOAD_BYTES);

  private long largest;
  private long seen;
  private int last = FIRST / GROWTH;
  private long mostAvailable;

  /** At most as many as there is room for; none if not even one would fit. */
  public int next(int room, long availableBytes) {
    if (availableBytes == Long.MAX_VALUE) {
      return room;
    }
    mostAvailable = Math.max(mostAvailable, availableBytes);
    long bytes = Math.min(MOST_BYTES, availableBytes);
    long fitting = bytes / (largest == 0 ? EventEnvelope.MAX_PAYLOAD_BYTES : largest);
    if (fitting == 0 && availableBytes == mostAvailable) {
      fitting = 1; // it has nothing, and so takes one of any size
    }
    return (int) Math.min(room, Math.min(fitting, (long) last * GROWTH));
  }

  /** What the events of a fetch may weigh together, however many are asked for. */
  public static long bytes(long availableBytes) {
    return availableBytes == Long.MAX_VALUE
        ? availableBytes
        : Math.max(1, Math.min(MOST_BYTES, availableBytes));
  }

  /**
   * Likewise, where what is in hand is fetched again: the bytes of that, as far as they can still
   * be in hand, for some of it has ended. Rows may weigh half as much again as their events.
   */
  public long bytes(long availableBytes, long again) {
    long inHand = Math.max(0, mostAvailable - availableBytes);
    return again == 0 || availableBytes == Long.MAX_VALUE
        ? bytes(availableBytes)
        : bytes(availableBytes) + Math.min(again, inHand + inHand / 2);
  }

  public void saw(long bytes) {
    seen = Math.max(seen, bytes);
  }

  /** A fetch is over, for this many events. */
  public void fetched(int limit) {
    if (seen > 0) {
      largest = Math.max(seen, largest - largest / FORGOTTEN_PER_FETCH);
      last = Math.max(1, limit);
      seen = 0;
    }
  }

  /** A fetch failed, so nothing is known. */
  public void failed() {
    largest = 0;
    seen = 0;
    last = FIRST / GROWTH;
  }
}
