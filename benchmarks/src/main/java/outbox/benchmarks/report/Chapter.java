package outbox.benchmarks.report;

import java.util.Arrays;

/** What each measurement is, in the words of the page. */
public enum Chapter {
  P1(
      Chart.CONTENDERS,
      "Write",
      """
      Eight threads commit one business row and one event per transaction; nothing is delivered.
      Raw JDBC does the same two inserts, on a connection from the same kind of pool for each
      transaction; without a pool it has one for ever and its statements stay prepared. On our
      table, which has the columns and indexes of a whole outbox, it shows what the table costs
      and what the library does. Each round is cut into five, because a machine changes its pace by
      more than what is compared.
      """),
  P2(
      Chart.CONTENDERS,
      "Drain a backlog",
      """
      One node works off events that are in the database when it starts, until all are completed.
      Raw JDBC claims with `FOR UPDATE SKIP LOCKED` and completes in one statement per batch; of
      its variants the fastest counts. A contender that needs longer than the time it is given is
      measured by what it completed until then.
      """),
  P3(
      Chart.CONTENDERS,
      "End to end",
      """
      Eight producers write as fast as they can while the same process delivers, until the last
      event is completed. The ratio is to raw JDBC that only writes.
      """),
  P3b(
      Chart.CONTENDERS,
      "Latency",
      """
      500 events per second in one process: from the moment the commit has returned until the
      listener is called.
      """),
  P4(
      Chart.CONTENDERS,
      "Several nodes",
      """
      Nodes with a pool of their own drain one backlog together, and each round begins with another
      number of nodes. The ratio is the median of the rounds' ratios to one node of the same kind;
      where raw JDBC is listed, it shows what the server makes of several. Every event is
      counted: one delivered twice would be a duplicate. Then four processes write and deliver at
      once, each straight from its own commits and from the table. Each writes from three threads
      1 to 120 events per transaction, whenever few are pending, and has a hot queue for 50, so that
      much of it overflows and goes to whoever claims it first; one event in twenty fails the first
      time that it comes to a process.
      """),
  P5(
      Chart.CONTENDERS,
      "Ordered",
      """
      One node delivers the events of each aggregate one after the other, each after the one before
      has been completed, and different aggregates beside each other. The ratio is to this library
      draining the same events without order, as in P2. Then an aggregate whose first event is dead
      stands in front, and all its other events wait in the table for an operator. Order needs one
      index more, which the tables of other measurements don't have.
      """),
  P6(
      Chart.PARTS,
      "An old snapshot is held open",
      """
      A transaction that was begun before keeps vacuum from removing anything while events are
      written and drained, part after part. The last part is compared with the first one after the
      warm-up of its round, and the median of the rounds counts.
      """),
  P7(
      Chart.NONE,
      "Another process relays",
      """
      One process writes 500 events per second and delivers none; another process delivers them.
      From the moment the commit has returned until the other process calls the listener.
      """),
  P8(Chart.NONE, "Memory", "A process with a small heap drains a large backlog."),
  P9(
      Chart.NONE,
      "Cost per event",
      """
      What the database does for one event at full load. Row versions and commits are those after
      the insert: claiming and completing.
      """),
  P10(
      Chart.CONTENDERS,
      "Purge under load",
      """
      Finished events are deleted while a steady load, half of what this machine can write, goes
      on.
      """),
  P11(Chart.NONE, "Idle", "A node with nothing to do beside a table full of finished events."),
  P12(Chart.CONTENDERS, "MariaDB", "Write and drain as above, on MariaDB."),
  K1(
      Chart.CONTENDERS,
      "To Kafka",
      """
      One node sends a backlog from PostgreSQL to Kafka, acknowledged by all replicas, until every
      event is completed; database, broker and node share the machine. The bare producer is Kafka's
      own with the same settings, sending records of the same bytes from memory. The relay that
      sends nothing hands the same events to a destination that takes all of them at once. Every
      record is read again afterwards and counted: what is missing, what came twice, and what came
      after a later event of its aggregate. Then the broker is killed with a quarter sent, and is
      started again twelve seconds later. Records are given four seconds there instead of twenty, so
      that the guard has noticed the outage long before. What counts is the time from when the
      broker serves again until the end of a second with 0.9 of the rate before.
      """),
  K2(
      Chart.CONTENDERS,
      "A dead destination",
      """
      One node with default settings sends a backlog from PostgreSQL to three destinations, a third
      of the events to each, mixed. They are within the process, take a batch after a millisecond,
      and stand behind guards as they are by default. What is measured is what two of them get: their
      events, by the time until the last of these is completed. The third one is alive, or refuses
      everything from the start, or never answers from the start. Its events are in the table in
      all three cases, in front of the others and between them, and the two are compared with
      themselves beside a third that is alive: that is what they have when nothing is wrong. A
      third that is dead takes no work to deliver to, so that they can even get more. Without a
      third, its events are not there either; that is not judged, and shows what it costs to
      read over them. Then each event goes to all three destinations: the relay writes a row for
      each of them and delivers these, and a tenth of the backlog is enough for that. The rows of a
      third that is dead stay in the table. No event may fail or be given up in any of these.
      """);

  /** What is drawn: contenders beside each other, the parts of one line, or nothing. */
  enum Chart {
    CONTENDERS,
    PARTS,
    NONE
  }

  private final Chart chart;
  private final String title;
  private final String text;

  Chapter(Chart chart, String title, String text) {
    this.chart = chart;
    this.title = title;
    this.text = text.strip();
  }

  public String title() {
    return title;
  }

  Chart chart() {
    return chart;
  }

  String text() {
    return text;
  }

  /** The chapter of a measurement as a user may write it, {@code p3B} included. */
  public static Chapter named(String name) {
    return Arrays.stream(values())
        .filter(chapter -> chapter.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "measurement must be one of %s, got: %s"
                        .formatted(Arrays.toString(values()), name)));
  }
}
