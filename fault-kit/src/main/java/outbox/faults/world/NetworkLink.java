package outbox.faults.world;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** One connection through a {@link NetworkProxy}. */
final class NetworkLink {

  private static final int CHUNK = 1 << 16;
  private static final byte[] END = new byte[0];

  private final NetworkProxy network;
  private final Socket client;
  private final Socket server;
  private volatile boolean isDeaf;

  /** Bytes on their way, and when they arrive; none if there will be no more. */
  private static final class Chunk {
    private final long due;
    private final byte[] bytes;

    Chunk(long due, byte[] bytes) {
      this.due = due;
      this.bytes = bytes;
    }
  }

  NetworkLink(NetworkProxy network, Socket client, Socket server) throws IOException {
    this.network = network;
    this.client = client;
    this.server = server;
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
  }

  void start() {
    carry(client, server);
    carry(server, client);
  }

  private void carry(Socket from, Socket to) {
    BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();
    NetworkProxy.daemon(() -> receive(from, underWay));
    NetworkProxy.daemon(() -> send(underWay, to));
  }

  private void receive(Socket from, BlockingQueue<Chunk> underWay) {
    byte[] buffer = new byte[CHUNK];
    try {
      int length = from.getInputStream().read(buffer);
      while (length >= 0) {
        underWay.add(due(Arrays.copyOf(buffer, length)));
        length = from.getInputStream().read(buffer);
      }
    } catch (IOException e) {
      // The other side hears of an end all the same.
    }
    underWay.add(due(END));
  }

  private Chunk due(byte[] bytes) {
    return new Chunk(System.nanoTime() + network.latency().toNanos(), bytes);
  }

  private void send(BlockingQueue<Chunk> underWay, Socket to) {
    try {
      Chunk chunk = awaitArrival(underWay.take());
      while (chunk.bytes.length > 0) {
        if (!isDeaf) {
          to.getOutputStream().write(chunk.bytes);
        }
        chunk = awaitArrival(underWay.take());
      }
    } catch (IOException e) {
      // Ends both sides.
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      close(false);
    }
  }

  private Chunk awaitArrival(Chunk chunk) throws InterruptedException {
    while (chunk.due - System.nanoTime() > 0) {
      LockSupport.parkNanos(chunk.due - System.nanoTime());
    }
    network.awaitPassage();
    return chunk;
  }

  /** Nothing that is sent arrives any more. */
  void deafen() {
    isDeaf = true;
  }

  void reset() {
    close(true);
  }

  private void close(boolean isAbrupt) {
    network.ended(this);
    for (Socket socket : new Socket[] {client, server}) {
      try {
        if (isAbrupt && !socket.isClosed()) {
          socket.setSoLinger(true, 0);
        }
        socket.close();
      } catch (IOException e) {
        // It is gone.
      }
    }
  }
}
