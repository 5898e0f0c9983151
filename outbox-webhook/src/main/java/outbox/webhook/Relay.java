package outbox.webhook;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Carries bytes between a client and a server until both have said everything. */
final class Relay {

  private static final int BUFFER = 16 * 1024;
  private static final String INTERIM = "1";

  private final Socket client;
  private final InputStream fromClient;
  private final Socket server;
  private final Executor threads;

  Relay(Socket client, InputStream fromClient, Socket server, Executor threads) {
    this.client = client;
    this.fromClient = fromClient;
    this.server = server;
    this.threads = threads;
  }

  /** Both ways, untouched. A client that ends its half has gone: it waits for no answer. */
  void everything() throws IOException {
    beside(
        () -> {
          copy(fromClient, server.getOutputStream(), Long.MAX_VALUE);
          server.close();
        },
        () -> copyToClient(server.getInputStream()));
  }

  /**
   * A request and its answer, and never a second one: the client may send the next request, to
   * another host, only over another connection.
   */
  void oneExchange(Head request, String startLine) throws IOException {
    String length = request.value("content-length");
    long body = length == null ? 0 : Long.parseLong(length);
    beside(
        () -> {
          OutputStream out = server.getOutputStream();
          out.write(request.bytesForLastMessage(startLine));
          copy(fromClient, out, body);
        },
        this::answer);
  }

  private void answer() throws IOException {
    InputStream in = new BufferedInputStream(server.getInputStream());
    Head head = Head.read(in);
    while (isInterim(head)) {
      head = Head.read(in);
    }
    client.getOutputStream().write(head.bytesForLastMessage(head.start()));
    copyToClient(in);
  }

  /** 1xx: another head follows. */
  private static boolean isInterim(Head head) {
    String[] parts = head.start().split(" ", 3);
    return parts.length > 1 && parts[1].startsWith(INTERIM);
  }

  /** The answer is worth having even if the request could not be sent to its end. */
  private void beside(Transfer request, Transfer answer) throws IOException {
    CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(request), threads);
    try {
      answer.run();
    } catch (IOException | RuntimeException broken) {
      OpenSockets.close(client);
      throw broken;
    } finally {
      OpenSockets.close(server);
    }
    sent.join();
  }

  /** Closing a connection with something unread in it would take the answer away. */
  private void send(Transfer request) {
    try {
      request.run();
    } catch (SocketTimeoutException idle) {
      OpenSockets.close(client);
      OpenSockets.close(server);
    } catch (IOException refused) {
      readRestOfRequest();
    }
  }

  private void readRestOfRequest() {
    try {
      copy(fromClient, OutputStream.nullOutputStream(), Long.MAX_VALUE);
    } catch (IOException gone) {
      // Then there is nothing unread.
    }
  }

  private void copyToClient(InputStream in) throws IOException {
    copy(in, client.getOutputStream(), Long.MAX_VALUE);
    client.shutdownOutput();
  }

  private static void copy(InputStream in, OutputStream out, long length) throws IOException {
    byte[] buffer = new byte[BUFFER];
    long left = length;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        return;
      }
      out.write(buffer, 0, read);
      left -= read;
    }
  }

  @FunctionalInterface
  private interface Transfer {

    void run() throws IOException;
  }
}
