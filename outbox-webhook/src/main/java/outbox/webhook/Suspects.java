package outbox.webhook;

import java.util.LinkedHashMap;
import java.util.Map;
import outbox.EventEnvelope;

/**
 * Tells an event that breaks its receiver from a receiver that is down: the first is overtaken. Who
 * gets no answer is a suspect; if another event is delivered to the same endpoint, and the suspect
 * gets no answer again, something is wrong with it. The latest suspects are remembered.
 */
final class Suspects {

  private static final int MOST_REMEMBERED = 10_000;

  private final Map<Suspect, Long> unanswered = latest();
  private final Map<String, Long> delivered = latest();
  private long moment;

  /** Notes that the event got no answer; true if others were delivered since it got none before. */
  synchronized boolean isOvertaken(Endpoint endpoint, EventEnvelope event) {
    String address = endpoint.address();
    long latest = delivered.computeIfAbsent(address, any -> 0L);
    Long before = unanswered.put(new Suspect(address, event.eventId()), ++moment);
    return before != null && latest > before;
  }

  synchronized void delivered(Endpoint endpoint, EventEnvelope event) {
    if (delivered.isEmpty()) {
      return;
    }
    String address = endpoint.address();
    unanswered.remove(new Suspect(address, event.eventId()));
    delivered.computeIfPresent(address, (any, before) -> ++moment);
  }

  private static <K> Map<K, Long> latest() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, Long> eldest) {
        return size() > MOST_REMEMBERED;
      }
    };
  }

  private record Suspect(String address, String eventId) {}
}
