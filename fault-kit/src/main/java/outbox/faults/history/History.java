package outbox.faults.history;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import outbox.faults.history.Entry.Call;

/** What all processes wrote down, in the order in which it happened. */
public record History(List<Entry> entries) {

  public History {
    entries = entries.stream().sorted(Comparator.comparingLong(Entry::nanos)).toList();
  }

  /** Everything that was written into the folder so far. */
  public static History read(Path folder) {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + Journal.SUFFIX)) {
      for (Path file : files) {
        entries.addAll(HistoryFile.read(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new History(entries);
  }

  /** What one process has written into the folder so far. */
  public static History read(Path folder, String process) {
    try {
      return new History(HistoryFile.read(folder.resolve(process + Journal.SUFFIX)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For tests: the lines of processes, by their names. */
  public static History parse(Map<String, List<String>> processes) {
    List<Entry> entries = new ArrayList<>();
    processes.forEach((process, lines) -> entries.addAll(HistoryFile.parse(process, lines)));
    return new History(entries);
  }

  public <T extends Entry> Stream<T> all(Class<T> kind) {
    return entries.stream().filter(kind::isInstance).map(kind::cast);
  }

  /** Every call of a listener, in the order of their beginnings. */
  public List<Call> calls() {
    return all(Entry.Begins.class).map(Entry.Begins::call).toList();
  }

  /** Every call that delivered its event, in the order of their ends. */
  public List<Entry.Ends> deliveries() {
    return all(Entry.Ends.class).filter(Entry.Ends::succeeded).toList();
  }

  /** The versions of a key that were delivered, in order, again if they came again. */
  public List<Integer> delivered(String key) {
    return deliveries().stream()
        .map(end -> end.call().event())
        .filter(event -> event.key().equals(key))
        .map(Entry.Event::version)
        .toList();
  }

  public List<Call> callsOf(String process) {
    return calls().stream().filter(call -> call.process().equals(process)).toList();
  }

  public List<Call> callsOn(String key) {
    return calls().stream().filter(call -> call.event().key().equals(key)).toList();
  }

  /** How often each process noticed that others took over what it had. */
  public Map<String, Long> lostLeases() {
    return all(Entry.LostLease.class).collect(groupingBy(Entry.LostLease::process, counting()));
  }
}
