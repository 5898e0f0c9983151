package outbox.spi;

import java.time.Duration;
import outbox.internal.Require;

/**
 * One start of one node of a relay: what partitions are leased to. Two processes never share one,
 * whatever their node ids are, because its id is made anew at every start.
 *
 * @param relay those who share partitions have the same, at most {@value #LONGEST_RELAY} characters
 * @param id unique, at most {@value #LONGEST_ID} characters
 * @param nodeId for people, at most {@value #LONGEST_NODE_ID} characters
 * @param partitions into how many the relay is divided
 * @param lease how long the session lives without being renewed
 */
public record NodeSession(String relay, String id, String nodeId, int partitions, Duration lease) {

  public static final int LONGEST_RELAY = 128;
  public static final int LONGEST_ID = 36;
  public static final int LONGEST_NODE_ID = 128;

  public NodeSession {
    check(relay, nodeId, partitions);
    Require.storableName("id", id, LONGEST_ID);
    Require.positive("lease", lease);
  }

  /** Refuses what no session could have. */
  public static void check(String relay, String nodeId, int partitions) {
    Require.storableName("relay", relay, LONGEST_RELAY);
    Require.storableName("nodeId", nodeId, LONGEST_NODE_ID);
    Require.check(
        partitions > 0 && partitions <= OrderedStore.BUCKETS && Integer.bitCount(partitions) == 1,
        "partitions",
        "a power of two from 1 to " + OrderedStore.BUCKETS,
        partitions);
  }
}
