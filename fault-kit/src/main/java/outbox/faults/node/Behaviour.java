package outbox.faults.node;

import java.util.Locale;

/**
 * What a listener does with an event. The name in lower case, and a dash, begins the keys that are
 * always treated so ({@code die-7}); everything else is treated as the switch {@link
 * Switches#BEHAVIOUR} says.
 */
public enum Behaviour {
  DELIVER,
  /** Fails, and the attempt counts. */
  REFUSE,
  /** Says that it makes no sense to try again. */
  REJECT,
  /** Asks to come again later; the attempt counts. */
  ASK_LATER,
  /** Can take nothing now; no attempt counts. */
  DEFER,
  /** Takes the event, and fails to say so. */
  FORGET,
  /** Doesn't return before it is interrupted. */
  STALL,
  /** Never returns, whatever is asked of it. */
  HANG,
  /** Ends the process. */
  DIE;

  /** The prefix of keys whose events are treated so. */
  public String prefix() {
    return name().toLowerCase(Locale.ROOT) + "-";
  }

  static Behaviour of(String key, Behaviour otherwise) {
    for (Behaviour behaviour : values()) {
      if (key.startsWith(behaviour.prefix())) {
        return behaviour;
      }
    }
    return otherwise;
  }
}
