package outbox.testing.brokers;

import java.io.IOException;
import java.nio.file.Path;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * The broker's own JVM: formats the data folder if that is new, and serves until its input ends.
 * That is closed by the system when the JVM that started it is gone, however that ended.
 */
final class KafkaMain {

  private static final String CLUSTER = "b3V0Ym94LXRlc3RzLTAwMQ";

  private KafkaMain() {}

  public static void main(String[] arguments) {
    Path home = Path.of(arguments[0]);
    Thread watch = new Thread(() -> endWithInput(home), "watch");
    watch.setDaemon(true);
    watch.start();
    String properties = home.resolve(KafkaHome.PROPERTIES).toString();
    int status =
        StorageTool.execute(
            new String[] {
              "format", "--ignore-formatted", "--cluster-id", CLUSTER, "--config", properties
            },
            System.out);
    if (status != 0) {
      Runtime.getRuntime().halt(status);
    }
    Kafka.main(new String[] {properties});
  }

  private static void endWithInput(Path home) {
    try {
      while (System.in.read() >= 0) {
        // nothing is ever said
      }
    } catch (IOException e) {
      // as good as its end
    }
    new KafkaHome(home).remove();
    Runtime.getRuntime().halt(0);
  }
}
