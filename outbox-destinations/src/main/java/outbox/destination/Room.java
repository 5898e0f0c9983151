package outbox.destination;

/**
 * How many events may be under way with a destination at once. After an outage it starts with few
 * and doubles with every batch that is delivered, so that a destination isn't run over as soon as
 * it is back.
 */
final class Room {

  /** What an outage ends with: few enough to do no harm, more than one bad event. */
  static final int PROBE = 5;

  private static final int ALL = 4096;

  private final int most;
  private int limit;
  private int used;

  Room(int most) {
    this.most = most;
    limit = most;
  }

  /** Takes as many places as there are, at most those wanted. */
  synchronized int take(int wanted) {
    int taken = Math.max(0, Math.min(wanted, limit - used));
    used += taken;
    return taken;
  }

  synchronized void giveBack(int places) {
    used -= places;
  }

  synchronized int free() {
    return Math.max(0, limit - used);
  }

  synchronized int used() {
    return used;
  }

  synchronized void startSmall() {
    limit = Math.min(most, PROBE);
  }

  /** A batch was delivered. */
  synchronized void grow() {
    limit = limit >= ALL || limit >= most ? most : Math.min(most, limit * 2);
  }
}
