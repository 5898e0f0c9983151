package outbox.testing.brokers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class KafkaBrokerTest {

  @Test
  void comesBackOnItsPortAfterAKillAndAStop() {
    try (KafkaBroker broker = KafkaBroker.builder().start()) {
      broker.kill();
      assertThatThrownBy(() -> connect(broker)).isInstanceOf(IOException.class);

      broker.start();
      assertThat(connectsTo(broker)).isTrue();

      broker.stop();
      broker.start();
      assertThat(connectsTo(broker)).isTrue();
    }
  }

  @Test
  void aBrokerThatCanNotStartSaysWhy() {
    assertThatThrownBy(() -> KafkaBroker.builder().set("node.id", "-7").start())
        .isInstanceOf(BrokerUnavailableException.class)
        .hasMessageContaining("node.id");
  }

  private static boolean connectsTo(KafkaBroker broker) {
    try {
      connect(broker);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void connect(KafkaBroker broker) throws IOException {
    String[] address = broker.address().split(":", 2);
    new Socket(address[0], Integer.parseInt(address[1])).close();
  }
}
