package outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import outbox.OutboxException;
import outbox.destination.UnavailableException;
import outbox.internal.SafeLogger;
import outbox.util.DaemonThreadFactory;

/**
 * Publishes one event after the other on a thread of its own, and doesn't wait for the answers.
 *
 * <p>A broker closes the channel on which it finds fault with a message, and doesn't say with
 * which. So all that had no answer are published again, one at a time, until one of them is caught
 * alone. What can be known before isn't left to that: see {@link Verdicts}.
 */
final class Publisher {

  private static final Logger LOG = SafeLogger.of(Publisher.class);
  private static final Duration LONGEST_CHECK = Duration.ofSeconds(1);

  /** Brokers end connections and channels with these for reasons of their own. */
  private static final Set<Integer> IN_TROUBLE =
      Set.of(AMQP.CONNECTION_FORCED, AMQP.RESOURCE_ERROR, AMQP.INTERNAL_ERROR);

  private final Failures failures;
  private final Duration confirmTimeout;
  private final Intake intake = new Intake();
  private final Line line;
  private final Verdicts verdicts;
  private final Thread thread;
  private final ScheduledExecutorService watch;

  Publisher(String name, Connector connector, Failures failures, Duration confirmTimeout) {
    this.failures = failures;
    this.confirmTimeout = confirmTimeout;
    line = new Line(connector, failures, this::channelEnded);
    verdicts = new Verdicts(failures, new Exchanges(line::anotherChannel));
    thread = new DaemonThreadFactory("outbox-rabbitmq-%s-".formatted(name)).newThread(this::run);
    watch =
        Executors.newSingleThreadScheduledExecutor(
            new DaemonThreadFactory("outbox-rabbitmq-%s-watch-".formatted(name)));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // it goes on until it is shut down
  void start() {
    long millis =
        Math.max(1, Math.min(LONGEST_CHECK.toMillis(), confirmTimeout.dividedBy(4).toMillis()));
    thread.start();
    watch.scheduleWithFixedDelay(this::check, millis, millis, TimeUnit.MILLISECONDS);
  }

  void publish(List<Outgoing> events) {
    UnavailableException blocked = line.blocked();
    if (blocked != null) {
      giveUp(events, blocked);
    } else if (!intake.offer(events)) {
      giveUp(events, failures.closed());
    }
  }

  /** Takes nothing more in; what was taken in goes on. */
  void finish() {
    intake.close();
  }

  /** Ends what is left. */
  void stop() {
    watch.shutdownNow();
    List<Outgoing> left = intake.stop();
    thread.interrupt();
    ConfirmChannel channel = line.channel();
    if (channel != null) {
      left.addAll(channel.takeAll());
    }
    giveUp(left, failures.closed());
    line.close(left.isEmpty());
  }

  private void run() {
    try {
      while (true) {
        publish(intake.take());
      }
    } catch (InterruptedException stopped) {
      giveUp(intake.stop(), failures.closed());
    }
  }

  private void publish(Intake.Next next) throws InterruptedException {
    if (next.event().isAbandoned() || isHindered(next.event())) {
      return;
    }
    try {
      attempt(next);
    } catch (AlreadyClosedException e) {
      if (e.isHardError()) {
        next.event().failed(failures.lost(e));
      } else {
        putBack(next);
      }
    } catch (IOException e) {
      next.event().failed(failures.lost(e));
    } catch (OutboxException e) {
      next.event().failed(e);
    } catch (RuntimeException | Error e) {
      failUnexpectedly(next.event(), e);
    }
  }

  private void attempt(Intake.Next next) throws IOException, InterruptedException {
    ConfirmChannel channel = line.openChannel();
    if (channel == null) {
      line.open();
      putBack(next); // what the last channel has handed over comes first
      return;
    }
    Outgoing event = next.event();
    verdicts.requireNoneAgainst(event);
    if (isHindered(event)) { // by what was answered meanwhile
      return;
    }
    boolean isDoubtful = verdicts.isDoubtful(event.target());
    if (isDoubtful && channel.awaitsAnswers()) {
      putBack(next);
      channel.awaitAnswers(confirmTimeout);
      return;
    }
    channel.publish(event);
    if (isDoubtful || next.isSuspect()) {
      channel.awaitAnswers(confirmTimeout);
    }
    if (isDoubtful && channel.isOpen()) {
      verdicts.taken(event.target());
    }
  }

  /** Because one before it has failed; it has its answer then. */
  private static boolean isHindered(Outgoing event) {
    Throwable obstacle = event.obstacle();
    if (obstacle != null) {
      event.failed(obstacle);
    }
    return obstacle != null;
  }

  private void putBack(Intake.Next next) {
    if (!intake.putBack(next)) {
      next.event().failed(failures.closed());
    }
  }

  /** The client has counted a message that it didn't send: its numbers aren't the broker's now. */
  private void failUnexpectedly(Outgoing event, Throwable failure) {
    LOG.log(Level.WARNING, failures + ": channel is given up after an unexpected failure", failure);
    event.failed(failure);
    ConfirmChannel channel = line.channel();
    if (channel != null) {
      channel.abort();
    }
  }

  /** The events are those that were published on the channel and had no answer yet. */
  private void channelEnded(List<Outgoing> events, ShutdownSignalException cause) {
    if (!isVerdict(cause) || Failures.code(cause) == AMQP.NOT_FOUND) {
      verdicts.forgetExchanges();
    }
    if (!isVerdict(cause)) {
      giveUp(events, failures.lost(cause));
    } else if (events.size() == 1 && !cause.isInitiatedByApplication()) {
      blame(events.get(0), cause);
    } else if (!intake.suspect(events)) {
      giveUp(events, failures.closed());
    }
  }

  /** Whether it ended because of what was sent, and not because somebody went or is in trouble. */
  private static boolean isVerdict(ShutdownSignalException cause) {
    int code = Failures.code(cause);
    if (IN_TROUBLE.contains(code)) {
      return false;
    }
    return !cause.isHardError() || (!cause.isInitiatedByApplication() && code != 0);
  }

  private void blame(Outgoing event, ShutdownSignalException cause) {
    verdicts.refused(event.target(), cause);
    event.failed(failures.blamed(event, cause));
    intake
        .takeSuspects(other -> isMeantToo(other.target(), event.target(), Failures.code(cause)))
        .forEach(other -> other.failed(failures.blamed(other, cause)));
  }

  /** No exchange is none for all that go there; a user may write there, but not with every key. */
  private static boolean isMeantToo(Target other, Target refused, int code) {
    return switch (code) {
      case AMQP.NOT_FOUND -> other.exchange().equals(refused.exchange());
      case AMQP.ACCESS_REFUSED -> other.equals(refused);
      default -> false;
    };
  }

  /** Lets nothing wait for a broker that is blocked or silent. */
  private void check() {
    try {
      giveUpWhatWaitsInVain();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, failures + ": check has failed; it is made again in a second", e);
    }
  }

  private void giveUpWhatWaitsInVain() {
    UnavailableException blocked = line.blocked();
    if (blocked != null) {
      giveUp(intake.takeAll(), blocked);
    }
    ConfirmChannel channel = line.channel();
    if (channel != null && channel.isSilentFor(confirmTimeout)) {
      channel.giveUp(blocked == null ? failures.silent(confirmTimeout) : blocked);
      if (blocked == null) {
        line.cut();
      }
    }
  }

  private static void giveUp(List<Outgoing> events, UnavailableException failure) {
    events.forEach(event -> event.failed(failure));
  }
}
