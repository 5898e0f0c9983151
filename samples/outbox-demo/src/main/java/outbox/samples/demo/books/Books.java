package outbox.samples.demo.books;

/** The final count. Each number is what happened, not what was planned. */
public record Books(
    long orders,
    long written,
    long delivered,
    long fromMemory,
    long retries,
    long retriedEvents,
    long dead,
    long replayed,
    long rolledBack,
    long duplicates,
    long lost,
    Findings findings) {

  /** What the database contradicts; all zero when everything is as it was seen. */
  public record Findings(
      long ordersUnknown,
      long ordersWithoutEvent,
      long ordersNotAsCommitted,
      long rolledBackOrdersFound,
      long deliveredWithoutRow,
      long notDone) {

    boolean isClean() {
      return ordersUnknown == 0
          && ordersWithoutEvent == 0
          && ordersNotAsCommitted == 0
          && rolledBackOrdersFound == 0
          && deliveredWithoutRow == 0
          && notDone == 0;
    }
  }

  /** Every committed event was delivered exactly once, and nothing else was. */
  public boolean balance() {
    return written > 0
        && delivered == written
        && duplicates == 0
        && lost == 0
        && findings.isClean();
  }

  /** Events that the poller had to find, because the hot queue was full or never heard of them. */
  public long fromDatabase() {
    return written - fromMemory;
  }
}
