package outbox.destination.testing;

import java.util.List;
import java.util.Set;
import outbox.destination.Destination;

/**
 * A broker or server that a {@link DestinationContract} runs against, and what reads from it. The
 * broker runs when the contract begins; the contract closes the fixture in the end.
 */
public interface DestinationFixture {

  /**
   * A new destination of this broker with {@link outbox.destination.MessageFormat#raw()}, which the
   * caller closes. It gives up on a broker that is away after a few seconds, so that nobody waits
   * for minutes. Opened while the broker is away, it finds it later.
   */
  Destination open() throws Exception;

  /** All that has arrived so far, and what has one key in the order of its arrival. */
  List<Received> received() throws Exception;

  /** Takes the broker away without warning. */
  void stopBroker() throws Exception;

  /**
   * Brings it back under the same address, ready to take what is sent. What it had before may be
   * gone. Does nothing if it is there.
   */
  void startBroker() throws Exception;

  /** The size in bytes of a payload that the broker or the destination refuses. */
  int tooLarge();

  /** Passwords and keys that the destination was opened with; they are never to be seen. */
  default Set<String> secrets() {
    return Set.of();
  }

  void close() throws Exception;
}
