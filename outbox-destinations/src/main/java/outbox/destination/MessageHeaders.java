package outbox.destination;

/**
 * What a message says about its event, under the same names with every protocol. A header of the
 * event itself that has one of these names is replaced.
 *
 * <p>Beside them stand the event's own headers, {@link outbox.EventHeaders#SEQUENCE} and {@link
 * outbox.EventHeaders#EPOCH} included where events are delivered in order.
 */
public final class MessageHeaders {

  /** What a consumer tells repetitions by; the same at every try. */
  public static final String EVENT_ID = "outbox-event-id";

  public static final String EVENT_TYPE = "outbox-event-type";

  public static final String AGGREGATE_TYPE = "outbox-aggregate-type";

  /** Left out if the event has none. */
  public static final String AGGREGATE_ID = "outbox-aggregate-id";

  /** Left out if the event has none. */
  public static final String TENANT_ID = "outbox-tenant-id";

  /** When the event happened, such as {@code 2030-01-31T12:00:00.000001Z}. */
  public static final String OCCURRED_AT = "outbox-occurred-at";

  private MessageHeaders() {}
}
