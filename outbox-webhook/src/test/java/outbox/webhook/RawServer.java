package outbox.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;

/** A server that does to its connections whatever a test wants, one after the head was read. */
final class RawServer implements AutoCloseable {

  private final ServerSocket server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger connections = new AtomicInteger();
  private final OpenSockets sockets = new OpenSockets();
  private final Script script;

  private RawServer(ServerSocketFactory factory, Script script) {
    this.script = script;
    try {
      server = factory.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException unable) {
      throw new UncheckedIOException(unable);
    }
    threads.execute(this::accept);
  }

  static RawServer running(Script script) {
    return new RawServer(ServerSocketFactory.getDefault(), script);
  }

  static RawServer running(SSLContext context, Script script) {
    return new RawServer(context.getServerSocketFactory(), script);
  }

  /** Says this after every request and then keeps the connection. */
  static RawServer saying(String text) {
    return running(
        socket -> {
          InputStream in = socket.getInputStream();
          while (true) {
            readRequest(in);
            say(socket, text);
          }
        });
  }

  static void say(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  static void readRequest(InputStream in) throws IOException {
    Head head = Head.read(in);
    String length = head.value("content-length");
    in.readNBytes(length == null ? 0 : Integer.parseInt(length));
  }

  String url() {
    return "http://localhost:" + server.getLocalPort() + "/hooks";
  }

  int port() {
    return server.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  @Override
  public void close() {
    OpenSockets.close(server);
    sockets.closeAll();
    threads.shutdownNow();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        sockets.add(socket);
        connections.incrementAndGet();
        threads.execute(() -> run(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void run(Socket socket) {
    try (socket) {
      script.run(socket);
    } catch (IOException | InterruptedException over) {
      // That is what the test wanted, or its end.
    }
  }

  @FunctionalInterface
  interface Script {

    void run(Socket socket) throws IOException, InterruptedException;
  }
}
