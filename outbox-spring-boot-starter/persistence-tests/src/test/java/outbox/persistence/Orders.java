package outbox.persistence;

/** A part of an application that goes to the database in its own way, always transactional. */
public interface Orders {

  /** Inserts the order and publishes {@link OrderPlaced}. */
  void place(int orderId);

  /** The same, and then fails. */
  void placeAndFail(int orderId);

  /** The same, but gets to know how many events are in sight before the commit. */
  long placeAndCountEvents(int orderId);
}
