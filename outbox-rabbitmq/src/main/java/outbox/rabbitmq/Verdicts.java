package outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import java.time.Duration;
import outbox.OutboxException;

/**
 * What the broker has said against targets. It closes a channel to say so, and what else is on that
 * channel is sent again; so it is made to say the same thing seldom, and where it harms nobody.
 *
 * <p>An event for an exchange that is missing isn't sent. What a target was refused for is told to
 * its events for a second without asking again; after that they go alone until one is taken.
 */
final class Verdicts {

  private static final int MOST = 1000;
  private static final Duration REFUSED_FOR = Duration.ofSeconds(1);
  private static final Duration DOUBTFUL_FOR = Duration.ofHours(1);

  private final Failures failures;
  private final Exchanges exchanges;
  private final Recent<Target, ShutdownSignalException> refused = new Recent<>(MOST, REFUSED_FOR);
  private final Recent<Target, Boolean> doubtful = new Recent<>(MOST, DOUBTFUL_FOR);

  Verdicts(Failures failures, Exchanges exchanges) {
    this.failures = failures;
    this.exchanges = exchanges;
  }

  /**
   * For the publishing thread alone.
   *
   * @throws OutboxException if the broker would refuse the event
   */
  void requireNoneAgainst(Outgoing event) {
    ShutdownSignalException told = refused.get(event.target());
    if (told == null) {
      told = exchanges.whyMissing(event.target().exchange());
    }
    if (told != null) {
      throw failures.blamed(event, told);
    }
  }

  /** Whether an event for it should be alone on its channel. */
  boolean isDoubtful(Target target) {
    return doubtful.has(target);
  }

  void refused(Target target, ShutdownSignalException told) {
    int code = Failures.code(told);
    if (code == AMQP.NOT_FOUND) {
      exchanges.miss(target.exchange(), told);
    } else if (code == AMQP.ACCESS_REFUSED) {
      refused.put(target, told);
      doubtful.put(target, true);
    }
  }

  void taken(Target target) {
    doubtful.remove(target);
  }

  /** Exchanges may have gone, with their broker or by themselves. */
  void forgetExchanges() {
    exchanges.forget();
  }
}
