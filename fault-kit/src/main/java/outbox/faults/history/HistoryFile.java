package outbox.faults.history;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import outbox.faults.history.Entry.Call;
import outbox.faults.history.Entry.Event;
import outbox.faults.history.Entry.Transaction;

/** Reads what one process wrote down. */
final class HistoryFile {

  private final String process;
  private final Map<Long, Call> calls = new HashMap<>();
  private final Map<Long, Transaction> transactions = new HashMap<>();

  private HistoryFile(String process) {
    this.process = process;
  }

  /** A line that is just being written is left out. */
  static List<Entry> read(Path path) throws IOException {
    String name = path.getFileName().toString();
    String text = Files.readString(path);
    return parse(
        name.substring(0, name.length() - Journal.SUFFIX.length()),
        text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
  }

  static List<Entry> parse(String process, List<String> lines) {
    HistoryFile file = new HistoryFile(process);
    return lines.stream().map(line -> file.entry(line, line.split(" ", -1))).toList();
  }

  private Entry entry(String line, String[] words) {
    long nanos = Long.parseLong(words[0]);
    return switch (words[1]) {
      case "write" -> new Entry.Writes(nanos, transaction(words));
      case "commit" -> new Entry.Committed(nanos, known(transactions, words));
      case "rollback" -> new Entry.RolledBack(nanos, known(transactions, words));
      case "take" -> new Entry.Takes(nanos, process, Integer.parseInt(words[2]));
      case "begin" -> new Entry.Begins(call(nanos, words));
      case "forget" -> new Entry.Forgets(nanos, begun(words));
      case "end" -> new Entry.Ends(nanos, known(calls, words), Boolean.parseBoolean(words[3]));
      case "lost" -> new Entry.LostLease(nanos, process);
      default -> throw new IllegalArgumentException("line must be known, got: " + line);
    };
  }

  private Transaction transaction(String[] words) {
    List<Event> events = new ArrayList<>();
    for (int i = 3; i < words.length; i += 3) {
      events.add(event(words, i));
    }
    Transaction transaction = new Transaction(process, Long.parseLong(words[2]), events);
    transactions.put(transaction.number(), transaction);
    return transaction;
  }

  private Call call(long nanos, String[] words) {
    long number = Long.parseLong(words[2]);
    long sequence = Long.parseLong(words[6]);
    long epoch = Long.parseLong(words[7]);
    Call call = new Call(process, number, nanos, event(words, 3), sequence, epoch);
    calls.put(number, call);
    return call;
  }

  private Call begun(String[] words) {
    return requireNonNull(calls.get(Long.parseLong(words[2])), "a call without its beginning");
  }

  private static Event event(String[] words, int at) {
    String[] trace = words[at + 2].split("/", 2);
    return new Event(
        words[at], words[at + 1], Integer.parseInt(trace[0]), trace.length > 1 ? trace[1] : "");
  }

  private static <T> T known(Map<Long, T> begun, String[] words) {
    return requireNonNull(begun.remove(Long.parseLong(words[2])), "an end without its beginning");
  }
}
