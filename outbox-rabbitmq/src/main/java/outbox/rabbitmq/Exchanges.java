package outbox.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.util.DaemonThreadFactory;

/**
 * Finds out whether an exchange is there before the first event goes to it. The broker would close
 * the channel for an event whose exchange is missing, and so it is asked on another channel, which
 * carries nothing.
 *
 * <p>Asking never keeps an event from being sent: where there is no answer, or no time for
 * questions, an exchange is taken for one that is there.
 */
final class Exchanges {

  private static final int MOST = 10_000;

  /** If it is deleted meanwhile, some of what is on its way beside its events is sent twice. */
  private static final Duration THERE_FOR = Duration.ofMinutes(10);

  private static final Duration MISSING_FOR = Duration.ofSeconds(1);

  /** Keeps questions away for a minute at least; also where asking costs the connection. */
  private static final Duration COST_OF_NO_ANSWER = Duration.ofSeconds(9);

  private final Channels channels;
  private final Recent<String, Boolean> there = new Recent<>(MOST, THERE_FOR);
  private final Recent<String, ShutdownSignalException> missing = new Recent<>(MOST, MISSING_FOR);
  private final Allowance allowance = new Allowance();
  private @Nullable Channel asking;

  /** Of the connection that there is. */
  @FunctionalInterface
  interface Channels {
    Channel open() throws IOException;
  }

  Exchanges(Channels channels) {
    this.channels = channels;
  }

  /** For the publishing thread alone; what the broker says if it has no such exchange, or null. */
  @Nullable ShutdownSignalException whyMissing(String exchange) {
    if (exchange.isEmpty() || there.has(exchange)) { // the default exchange is always there
      return null;
    }
    ShutdownSignalException told = missing.get(exchange);
    return told == null && allowance.isLeft() ? asked(exchange) : told;
  }

  void miss(String exchange, ShutdownSignalException told) {
    there.remove(exchange);
    missing.put(exchange, told);
  }

  /** Another broker may answer from now on, or one of them is gone. */
  void forget() {
    there.clear();
  }

  private @Nullable ShutdownSignalException asked(String exchange) {
    long begin = System.nanoTime();
    try {
      channel().exchangeDeclarePassive(exchange);
      there.put(exchange, true);
      return null;
    } catch (IOException | RuntimeException e) {
      return learnt(exchange, e);
    } finally {
      allowance.spend(Duration.ofNanos(System.nanoTime() - begin));
    }
  }

  private @Nullable ShutdownSignalException learnt(String exchange, Exception failure) {
    if (!(failure.getCause() instanceof ShutdownSignalException told) || told.isHardError()) {
      allowance.spend(COST_OF_NO_ANSWER);
      leave();
      return null;
    }
    if (Failures.code(told) == AMQP.NOT_FOUND) {
      miss(exchange, told);
      return told;
    }
    there.put(exchange, true); // as with 403: one may write where one may not ask
    return null;
  }

  private Channel channel() throws IOException {
    Channel current = asking;
    if (current == null || !current.isOpen()) {
      current = channels.open();
      asking = current;
    }
    return current;
  }

  /** An answer that comes too late must not be taken for that to another question. */
  private void leave() {
    Channel left = asking;
    asking = null;
    if (left != null && left.isOpen()) {
      // The client waits for the broker's goodbye; nobody else has to.
      new DaemonThreadFactory("outbox-rabbitmq-goodbye-").newThread(() -> abort(left)).start();
    }
  }

  private static void abort(Channel channel) {
    try {
      channel.abort();
    } catch (IOException | RuntimeException ignored) {
      // It has ended.
    }
  }
}
