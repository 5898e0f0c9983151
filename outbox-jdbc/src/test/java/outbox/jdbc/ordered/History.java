package outbox.jdbc.ordered;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What all nodes wrote down, in order. */
record History(List<Line> lines, Map<String, Integer> losses) {

  /** A call of a listener; its number is one of its node's. */
  record Call(
      String node,
      long number,
      long nanos,
      String key,
      int version,
      long sequence,
      long epoch,
      String eventId) {}

  /** The beginning of a call, or its end. */
  sealed interface Line {
    Call call();
  }

  record Begin(Call call) implements Line {}

  record End(Call call, long nanos, boolean succeeded) implements Line {}

  /** A line that is just being written is left out. */
  static History read(Path path) {
    try {
      String text = Files.exists(path) ? Files.readString(path) : "";
      return parse(text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static History parse(List<String> text) {
    List<Line> lines = new ArrayList<>(text.size());
    Map<String, Call> calls = new HashMap<>();
    Map<String, Integer> losses = new HashMap<>();
    for (String line : text) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "begin" -> {
          Call call = call(words);
          calls.put(words[1] + " " + words[2], call);
          lines.add(new Begin(call));
        }
        case "end" ->
            lines.add(
                new End(
                    calls.remove(words[1] + " " + words[2]),
                    Long.parseLong(words[3]),
                    Boolean.parseBoolean(words[4])));
        case "lost" -> losses.merge(words[1], 1, Integer::sum);
        default -> throw new IllegalArgumentException("line must be known, got: " + line);
      }
    }
    return new History(lines, losses);
  }

  private static Call call(String[] words) {
    return new Call(
        words[1],
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        words[4],
        Integer.parseInt(words[5]),
        Long.parseLong(words[6]),
        Long.parseLong(words[7]),
        words[8]);
  }

  List<Line> of(String key) {
    return lines.stream().filter(line -> line.call().key().equals(key)).toList();
  }

  /** The versions of an aggregate that were delivered, in order, again if they came again. */
  List<Integer> succeeded(String key) {
    return ends().stream()
        .filter(end -> end.succeeded() && end.call().key().equals(key))
        .map(end -> end.call().version())
        .toList();
  }

  List<End> ends() {
    return lines.stream().filter(End.class::isInstance).map(End.class::cast).toList();
  }

  List<Call> begun() {
    return lines.stream().filter(Begin.class::isInstance).map(Line::call).toList();
  }

  /** How many nodes have delivered. */
  int nodes() {
    return (int) begun().stream().map(Call::node).distinct().count();
  }

  int callsOf(String node) {
    return (int) begun().stream().filter(call -> call.node().equals(node)).count();
  }

  int callsOn(String key) {
    return (int) begun().stream().filter(call -> call.key().equals(key)).count();
  }
}
