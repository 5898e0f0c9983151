package outbox.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Has the client tell of the end of a channel only when the next one is asked for, as it may happen
 * with a thread that is kept waiting.
 */
final class LateNews extends ConnectionFactory {

  private static final int LATEST_SECONDS = 2;

  private final Semaphore asked = new Semaphore(0);

  @Override
  public Connection newConnection(List<Address> addresses, String name)
      throws IOException, TimeoutException {
    Connection connection = super.newConnection(addresses, name);
    return (Connection)
        Proxy.newProxyInstance(
            LateNews.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                method.getName().equals("createChannel")
                    ? channel(connection, method, arguments)
                    : invoke(connection, method, arguments));
  }

  private Object channel(Connection connection, Method method, Object[] arguments)
      throws Throwable {
    asked.release();
    Channel channel = (Channel) invoke(connection, method, arguments);
    asked.drainPermits();
    channel.addShutdownListener(cause -> awaitQuestion());
    return channel;
  }

  private void awaitQuestion() {
    try {
      asked.tryAcquire(LATEST_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Object invoke(Connection connection, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
