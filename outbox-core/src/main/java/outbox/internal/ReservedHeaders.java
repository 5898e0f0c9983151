package outbox.internal;

import java.util.Set;

/** Header names that the stored row uses for itself; users can't set them and never see them. */
public final class ReservedHeaders {

  /** How the payload column holds a payload that is not JSON text. */
  public static final String ENCODING = "outbox-encoding";

  /** When the event happened, if that isn't when it was written. */
  public static final String OCCURRED_AT = "outbox-occurred-at";

  /** The moment before which the event was not to be delivered, if one was set. */
  public static final String AVAILABLE_AT = "outbox-available-at";

  public static final Set<String> ALL = Set.of(ENCODING, OCCURRED_AT, AVAILABLE_AT);

  private ReservedHeaders() {}

  public static boolean contains(String name) {
    return ALL.contains(name);
  }
}
