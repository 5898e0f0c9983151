package outbox.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A channel whose broker confirms every message. An event that was published here is answered, or
 * is among those that the channel hands over when it ends.
 */
final class ConfirmChannel {

  private final Channel channel;
  private final Failures failures;
  private final BiConsumer<List<Outgoing>, ShutdownSignalException> atEnd;

  /** By delivery tag; guarded by itself. */
  private final SortedMap<Long, Outgoing> unconfirmed = new TreeMap<>();

  /** When something was confirmed, or began to wait for it while nothing else did. */
  private volatile long lastProgress = System.nanoTime();

  private ConfirmChannel(
      Channel channel,
      Failures failures,
      BiConsumer<List<Outgoing>, ShutdownSignalException> atEnd) {
    this.channel = channel;
    this.failures = failures;
    this.atEnd = atEnd;
  }

  static ConfirmChannel open(
      Channel channel, Failures failures, BiConsumer<List<Outgoing>, ShutdownSignalException> atEnd)
      throws IOException {
    ConfirmChannel confirming = new ConfirmChannel(channel, failures, atEnd);
    channel.confirmSelect();
    channel.addReturnListener(confirming::returned);
    channel.addConfirmListener(confirming::acknowledged, confirming::nacked);
    channel.addShutdownListener(cause -> confirming.handOver());
    return confirming;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /**
   * What has no answer at its end goes back. The client does this on a thread of its own, sooner or
   * later; nobody opens another channel before it is done.
   */
  synchronized void handOver() {
    atEnd.accept(takeAll(), channel.getCloseReason());
  }

  /** Fails what has no answer yet. */
  synchronized void giveUp(Throwable failure) {
    takeAll().forEach(event -> event.failed(failure));
  }

  /**
   * @throws IOException if the event was not sent, as far as one knows, and has no answer yet
   * @throws RuntimeException likewise
   */
  void publish(Outgoing event) throws IOException {
    requireFits(event);
    long tag = channel.getNextPublishSeqNo();
    add(tag, event);
    try {
      channel.basicPublish(
          event.target().exchange(),
          event.target().routingKey(),
          true,
          event.properties(),
          event.body());
    } catch (IOException | RuntimeException e) {
      if (!takeTo(tag, false).isEmpty()) {
        throw e;
      }
      // The channel has ended and has handed the event over.
    }
  }

  /** Waits until nothing is left without an answer; in vain if the channel's broker is silent. */
  void awaitAnswers(Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    synchronized (unconfirmed) {
      while (!unconfirmed.isEmpty() && end - System.nanoTime() > 0) {
        unconfirmed.wait(100);
      }
    }
  }

  boolean awaitsAnswers() {
    synchronized (unconfirmed) {
      return !unconfirmed.isEmpty();
    }
  }

  boolean isSilentFor(Duration timeout) {
    synchronized (unconfirmed) {
      return !unconfirmed.isEmpty() && System.nanoTime() - lastProgress > timeout.toNanos();
    }
  }

  List<Outgoing> takeAll() {
    return takeTo(Long.MAX_VALUE, true);
  }

  /** Ends it from this side, without waiting for long. */
  void abort() {
    try {
      channel.abort();
    } catch (IOException ignored) {
      // It has ended.
    }
  }

  /**
   * Properties and headers have to fit into one frame; the client finds out when it is too late.
   */
  private void requireFits(Outgoing event) throws IOException {
    int limit = channel.getConnection().getFrameMax();
    int size;
    try {
      size = event.properties().toFrame(0, event.body().length).size();
    } catch (IllegalArgumentException e) {
      throw failures.unsendable(event, e);
    }
    if (limit > 0 && size > limit) {
      throw failures.tooLarge(event, "its headers", size, limit);
    }
  }

  private synchronized void acknowledged(long tag, boolean multiple) {
    takeTo(tag, multiple).forEach(Outgoing::acknowledged);
  }

  private synchronized void nacked(long tag, boolean multiple) {
    takeTo(tag, multiple).forEach(event -> event.nacked(() -> failures.nacked(event)));
  }

  /** The broker names messages that it returns by their ids only. */
  private void returned(Return answer) {
    String id = answer.getProperties().getMessageId();
    Outgoing event = unconfirmed(id);
    if (event != null) {
      event.returned(failures.returned(event, answer));
    }
  }

  private @Nullable Outgoing unconfirmed(String id) {
    synchronized (unconfirmed) {
      for (Outgoing event : unconfirmed.values()) {
        if (event.event().eventId().equals(id) && !event.isReturned()) {
          return event;
        }
      }
      return null;
    }
  }

  private void add(long tag, Outgoing event) {
    synchronized (unconfirmed) {
      if (unconfirmed.isEmpty()) {
        lastProgress = System.nanoTime();
      }
      unconfirmed.put(tag, event);
    }
  }

  private List<Outgoing> takeTo(long tag, boolean multiple) {
    synchronized (unconfirmed) {
      lastProgress = System.nanoTime();
      SortedMap<Long, Outgoing> part =
          multiple && tag < Long.MAX_VALUE ? unconfirmed.headMap(tag + 1) : unconfirmed;
      List<Outgoing> taken = new ArrayList<>();
      if (multiple) {
        taken.addAll(part.values());
        part.clear();
      } else {
        Outgoing one = unconfirmed.remove(tag);
        if (one != null) {
          taken.add(one);
        }
      }
      unconfirmed.notifyAll();
      return taken;
    }
  }
}
