package outbox.faults.scenario;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import outbox.faults.check.Checker;
import outbox.faults.check.Excuses;
import outbox.faults.node.Mode;
import outbox.faults.node.NodeSettings;
import outbox.faults.world.NodeProcess;
import outbox.faults.world.World;

/** Something happens to the database, or to the way to it, under nodes that write and deliver. */
abstract class DatabaseScenario extends Scenario {

  /** What is needed besides the lease: to notice, to read and to deliver. */
  static final Duration NOTICE = Duration.ofSeconds(5);

  static final int WORKERS = 4;

  private static final String NODE = "a";
  private static final int KEYS = 100;
  private static final int RATE = 100;

  /** So soon a fault has its effect: until then more may be committed and delivered. */
  private static final Duration UNWRITTEN = Duration.ofSeconds(1);

  /** Begins and ends before it returns. */
  interface Fault {
    void happen() throws Exception;
  }

  /** Two nodes write and deliver for some seconds, in which this happens every second. */
  final Checker everySecond(World world, NodeSettings settings, Duration time, Fault fault)
      throws Exception {
    NodeSettings node = settings.keys(NODE, KEYS).rate(RATE).events((int) time.toSeconds() * RATE);
    world.accounts().add(node.keys());
    List<NodeProcess> nodes = world.cluster().start(2, node);
    long start = System.nanoTime();
    for (int second = 1; second <= time.toSeconds(); second++) {
      world.awaitTime(start, Duration.ofSeconds(second));
      fault.happen();
    }
    long last = System.nanoTime();
    nodes.forEach(NodeProcess::awaitWritten);
    world.awaitTime(last, Duration.ofSeconds(1));
    Checker checker = verdict(world, node.mode()).deliveredWithin(node.lease().plus(NOTICE), last);
    protocol.converged(checker.lag(last));
    return checker;
  }

  /**
   * Two nodes deliver what a third one writes, and can't write down what they do while this
   * happens. What was claimed is delivered again, if it was delivered meanwhile and its lease ran
   * out; what was delivered before or comes afterwards is not. Meanwhile nobody can commit anything
   * new, so that there is no more of it than was pending before, and what was committed until the
   * fault had its effect.
   */
  final Checker outage(World world, NodeSettings relay, NodeSettings writer, Fault fault)
      throws Exception {
    List<NodeProcess> nodes = world.cluster().start(2, relay.work(Duration.ofMillis(2)));
    world.cluster().start(writer);
    world.awaitDeliveriesOf(nodes);
    long begin = System.nanoTime();
    int most = mostUnwritten(world, writer);
    fault.happen();
    long end = System.nanoTime();
    world.awaitDeliveriesOf(nodes);
    Checker checker =
        verdict(world, relay.mode())
            .deliveredWithin(relay.lease().plus(NOTICE), end)
            .repeatsOnlyFor(
                new Excuses()
                    .outage(
                        names(nodes),
                        begin - relay.lease().toNanos(),
                        end + relay.lease().toNanos(),
                        most));
    protocol.converged(checker.lag(end));
    return checker;
  }

  /** What nodes may have in their hands if they can't write from now on. */
  static int mostUnwritten(World world, NodeSettings writer) {
    return world.tables().pending() + writer.rate() * (int) UNWRITTEN.toSeconds();
  }

  private static Set<String> names(List<NodeProcess> nodes) {
    return nodes.stream().map(NodeProcess::name).collect(Collectors.toSet());
  }

  /** Waits until all is delivered, and judges what always holds. */
  final Checker verdict(World world, Mode mode) throws SQLException {
    world.settle();
    Checker checker = judge(world).nothingPending().nothingDead();
    return mode == Mode.ORDERED ? checker.inOrder().zombiesOnlyOf(Map.of(), WORKERS) : checker;
  }
}
