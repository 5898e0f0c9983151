package outbox.rabbitmq;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The network between a destination and its broker: what comes back can be slow, or not come. */
final class Wire implements AutoCloseable {

  private static final int LARGEST_PIECE = 8192;

  private final ServerSocket server;
  private final int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile Duration latency = Duration.ZERO;
  private volatile int piece = LARGEST_PIECE;
  private volatile CountDownLatch answers = new CountDownLatch(0);
  private volatile CountDownLatch requests = new CountDownLatch(0);
  private volatile boolean holdsRequest;

  Wire(int target) throws IOException {
    this.target = target;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Every answer comes so much later. */
  void slowDown(Duration newLatency) {
    latency = newLatency;
  }

  /** Answers come one after the other, and so much time passes between them. */
  void trickle(Duration pause) {
    piece = 32; // of which a confirm has 21
    latency = pause;
  }

  /** What is sent arrives; no answer does. */
  void holdAnswers() {
    answers = new CountDownLatch(1);
  }

  void passAnswers() {
    answers.countDown();
  }

  /** What is sent piles up on the way. */
  void holdRequests() {
    requests = new CountDownLatch(1);
  }

  /** Whether something was sent since then. */
  boolean holdsRequest() {
    return holdsRequest;
  }

  void passRequests() {
    requests.countDown();
  }

  /** Ends all connections; answers that were held are lost. */
  void cut() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
    passAnswers();
    passRequests();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Socket broker = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.addAll(List.of(client, broker));
        daemon(() -> copy(client, broker, false));
        daemon(() -> copy(broker, client, true));
      } catch (IOException e) {
        // Closed, or the broker isn't there.
      }
    }
  }

  private void copy(Socket from, Socket to, boolean isAnswer) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[LARGEST_PIECE];
      while (true) {
        int read = in.read(buffer, 0, isAnswer ? piece : LARGEST_PIECE);
        if (read < 0) {
          return;
        }
        if (isAnswer) {
          delayAnswer();
        } else {
          delayRequest();
        }
        out.write(buffer, 0, read);
      }
    } catch (IOException | InterruptedException e) {
      // One side is gone, and now the other is, too.
    }
  }

  private void delayRequest() throws InterruptedException {
    CountDownLatch hold = requests;
    holdsRequest = hold.getCount() > 0;
    hold.await();
  }

  private void delayAnswer() throws InterruptedException {
    answers.await();
    if (!latency.isZero()) {
      TimeUnit.NANOSECONDS.sleep(latency.toNanos());
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "wire");
    thread.setDaemon(true);
    thread.start();
  }
}
