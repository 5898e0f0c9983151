package outbox.faults.node;

/** How a node delivers. */
public enum Mode {
  /** Not at all: it only writes. */
  WRITER,
  /** Alone, without claims. */
  SINGLE,
  /** Beside others, with claims. */
  MULTI,
  /** Beside others, the events of a key in order. */
  ORDERED
}
