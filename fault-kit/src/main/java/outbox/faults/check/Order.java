package outbox.faults.check;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import outbox.faults.history.Entry;
import outbox.faults.history.Entry.Call;
import outbox.faults.history.History;

/**
 * Follows every key through a history. Leaving out what zombies did, an event begins only after the
 * one in front of it was delivered, and comes again only from a new owner, before the next one has
 * begun; or because its owner was told that it failed.
 *
 * <p>A call is a zombie's if it begins or ends after a call of a later epoch has begun.
 */
final class Order {

  /** How many violations are told, and how much of what happened to the key before. */
  private static final int EXAMPLES = 5;

  private static final int STORY = 50;

  private final Map<String, Progress> keys = new HashMap<>();
  private final Set<Call> zombies = new LinkedHashSet<>();
  private final Set<Call> forgotten = new HashSet<>();
  private final List<String> violations = new ArrayList<>();

  /** How far a key has come. */
  private static final class Progress {
    private final Set<Call> running = new HashSet<>();
    private final Deque<Entry> story = new ArrayDeque<>();
    private long epoch;
    private @Nullable Call last;

    void tell(Entry entry) {
      story.addLast(entry);
      if (story.size() > STORY) {
        story.removeFirst();
      }
    }

    int version() {
      return last == null ? 0 : last.event().version();
    }

    long sequence() {
      return last == null ? 0 : last.sequence();
    }

    long lastEpoch() {
      return last == null ? 0 : last.epoch();
    }
  }

  static Order of(History history) {
    Order order = new Order();
    history.entries().forEach(order::follow);
    return order;
  }

  private void follow(Entry entry) {
    if (entry instanceof Entry.Begins begins) {
      begins(progress(begins.call(), entry), begins.call());
    } else if (entry instanceof Entry.Ends ends) {
      ends(progress(ends.call(), entry), ends.call(), ends.succeeded());
    } else if (entry instanceof Entry.Forgets forgets) {
      forgotten.add(forgets.call());
    }
  }

  private Progress progress(Call call, Entry entry) {
    Progress progress = keys.computeIfAbsent(call.event().key(), key -> new Progress());
    progress.tell(entry);
    return progress;
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
    int version = call.event().version();
    if (version == before && before > 0) {
      if (call.epoch() == progress.lastEpoch() && !forgotten.contains(progress.last)) {
        violates(progress, call, "comes again from the same owner");
      }
    } else if (version != before + 1) {
      violates(progress, call, "is out of order");
    } else if (call.sequence() <= progress.sequence()) {
      violates(progress, call, "has a number that doesn't grow");
    }
    if (progress.running.stream().anyMatch(other -> other.epoch() == call.epoch())) {
      violates(progress, call, "begins while another of its key is being delivered");
    }
  }

  private void ends(Progress progress, Call call, boolean succeeded) {
    progress.running.remove(call);
    if (call.epoch() < progress.epoch) {
      zombies.add(call);
    } else if (succeeded) {
      progress.last = call;
    }
  }

  private void violates(Progress progress, Call call, String what) {
    if (violations.size() < EXAMPLES) {
      String story = progress.story.stream().map(Entry::toString).collect(joining("\n"));
      violations.add("event %s: %s%n%s".formatted(what, call, story));
    }
  }

  List<String> violations() {
    return violations;
  }

  /** How many calls of zombies each process made. */
  Map<String, Long> zombies() {
    return zombies.stream().collect(groupingBy(Call::process, counting()));
  }
}
