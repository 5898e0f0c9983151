package outbox.ordered;

import outbox.spi.NodeSession;

/**
 * This node's right to its partitions. Others judge it by the database's clock; this node measures
 * on its own monotonic clock, from before the renewal and for a tenth less, so that it stops before
 * anybody takes over, whatever happens to wall clocks.
 */
final class Session {

  private static final int SAFETY_DIVISOR = 10;

  private final NodeSession node;
  private volatile long deadlineNanos;
  private volatile boolean ended;

  Session(NodeSession node, long startNanos) {
    this.node = node;
    renewed(startNanos);
  }

  NodeSession node() {
    return node;
  }

  /** Begun or renewed by a statement that was sent after this moment. */
  void renewed(long startNanos) {
    long lease = node.lease().toNanos();
    deadlineNanos = startNanos + lease - lease / SAFETY_DIVISOR;
  }

  /** False once another node may be about to take over. */
  boolean isAlive() {
    return !ended && System.nanoTime() - deadlineNanos < 0;
  }

  /** The database says that it is over. */
  void end() {
    ended = true;
  }

  boolean isEnded() {
    return ended;
  }
}
