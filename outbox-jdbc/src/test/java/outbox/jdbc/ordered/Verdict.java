package outbox.jdbc.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import outbox.jdbc.ordered.History.Begin;
import outbox.jdbc.ordered.History.Call;
import outbox.jdbc.ordered.History.End;
import outbox.jdbc.ordered.History.Line;

/**
 * Judges a history. Leaving out what zombies did, an event begins only after the one in front of it
 * has succeeded, and comes again only from a new owner, before the next one has begun.
 *
 * <p>A call is a zombie's if it begins or ends after a call of a later epoch has begun.
 */
final class Verdict {

  private final History history;
  private final Map<String, Progress> keys = new HashMap<>();
  private final Set<Call> zombies = new LinkedHashSet<>();

  /** Successful calls whose event was delivered again. */
  private final List<Call> repeated = new ArrayList<>();

  private final List<String> violations = new ArrayList<>();

  /** How far an aggregate has come. */
  private static final class Progress {
    private final Set<Call> running = new HashSet<>();
    private final Map<Integer, String> delivered = new HashMap<>();
    private long epoch;
    private long sequence;
    private Call last;

    int version() {
      return last == null ? 0 : last.version();
    }
  }

  private Verdict(History history) {
    this.history = history;
  }

  static Verdict on(History history) {
    Verdict verdict = new Verdict(history);
    history.lines().forEach(verdict::follow);
    return verdict;
  }

  private void follow(Line line) {
    Progress progress = keys.computeIfAbsent(line.call().key(), key -> new Progress());
    if (line instanceof Begin begin) {
      begins(progress, begin.call());
    } else if (line instanceof End end) {
      ends(progress, end);
    }
  }

  private void begins(Progress progress, Call call) {
    if (call.epoch() < progress.epoch) {
      zombies.add(call);
    } else {
      begins(progress, call, progress.version());
    }
    progress.running.add(call);
  }

  private void begins(Progress progress, Call call, int before) {
    progress.epoch = call.epoch();
    if (call.version() == before && before > 0) {
      comesAgain(progress, call);
    } else if (call.version() != before + 1) {
      violates("is out of order", call);
    } else if (call.sequence() <= progress.sequence) {
      violates("has a number that doesn't grow", call);
    }
    if (progress.running.stream().anyMatch(other -> other.epoch() == call.epoch())) {
      violates("begins while another of its aggregate is being delivered", call);
    }
  }

  private void comesAgain(Progress progress, Call call) {
    if (call.epoch() == progress.last.epoch()) {
      violates("comes again from the same owner", call);
    }
  }

  private void ends(Progress progress, End end) {
    Call call = end.call();
    progress.running.remove(call);
    if (call.epoch() < progress.epoch) {
      zombies.add(call);
    } else if (end.succeeded()) {
      if (call.version() == progress.version()) {
        repeated.add(progress.last);
      }
      progress.last = call;
      progress.sequence = call.sequence();
      progress.delivered.put(call.version(), call.eventId());
    }
  }

  private void violates(String what, Call call) {
    violations.add(
        "event %s: %s%n%s"
            .formatted(what, call, String.join("\n", around(history.of(call.key())))));
  }

  private static List<String> around(List<Line> lines) {
    return lines.stream().map(Line::toString).toList();
  }

  Verdict requireOrder() {
    assertThat(violations.stream().limit(5)).isEmpty();
    return this;
  }

  /** Everything that was committed has succeeded, and nothing else was delivered. */
  Verdict requireExactly(Map<String, Map<Integer, String>> committed) {
    Map<String, Map<Integer, String>> delivered = new HashMap<>();
    keys.forEach((key, progress) -> delivered.put(key, progress.delivered));
    committed.forEach((key, events) -> assertThat(delivered.get(key)).as(key).isEqualTo(events));
    assertThat(delivered.keySet()).isEqualTo(committed.keySet());
    for (Call call : history.begun()) {
      assertThat(committed.get(call.key())).as("%s", call).containsValue(call.eventId());
    }
    return this;
  }

  /** Only a node that stood still is a zombie, and only with what each of its workers had. */
  Verdict requireZombiesOnlyOf(Map<String, Integer> stops) {
    Map<String, Integer> counts = count(zombies);
    counts.forEach(
        (node, count) ->
            assertThat(count)
                .as("calls of zombie %s", node)
                .isLessThanOrEqualTo(OrderedNode.WORKERS * stopsOf(node, stops)));
    return this;
  }

  /** Only what a lost node had delivered and not yet written comes again. */
  Verdict requireRepeatsOnlyOf(Map<String, Integer> losses, int inFlight) {
    Map<String, Integer> counts = count(repeated);
    counts.forEach(
        (node, count) ->
            assertThat(count)
                .as("events of %s that came again", node)
                .isLessThanOrEqualTo(inFlight * stopsOf(node, losses)));
    return this;
  }

  private int stopsOf(String node, Map<String, Integer> stops) {
    return stops.getOrDefault(node, 0) + history.losses().getOrDefault(node, 0);
  }

  private static Map<String, Integer> count(Collection<Call> calls) {
    Map<String, Integer> counts = new HashMap<>();
    calls.forEach(call -> counts.merge(call.node(), 1, Integer::sum));
    return counts;
  }

  int zombies() {
    return zombies.size();
  }

  int repeats() {
    return repeated.size();
  }

  String describe() {
    int lost = history.losses().values().stream().mapToInt(Integer::intValue).sum();
    return "%d calls, %d leases lost, %d delivered again, %d calls of zombies"
        .formatted(history.begun().size(), lost, repeats(), zombies());
  }
}
