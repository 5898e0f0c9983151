package outbox.destination;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a message says about its event, under the same names with every protocol. A header of the
 * event itself that has one of these names, in whatever case, is left out.
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

  private static final Set<String> ALL = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  static {
    ALL.addAll(List.of(EVENT_ID, EVENT_TYPE, AGGREGATE_TYPE, AGGREGATE_ID, TENANT_ID, OCCURRED_AT));
  }

  private MessageHeaders() {}

  /** Whether somebody could take it for one of these: HTTP and many clients ignore case. */
  static boolean contains(String name) {
    return ALL.contains(name);
  }
}
