package outbox.samples.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class KafkaDemoTest {

  @Test
  void everyEventArrivesInOrderThroughAnOutage() throws Exception {
    ByteArrayOutputStream told = new ByteArrayOutputStream();

    boolean isComplete = KafkaDemo.run(new PrintStream(told, true, UTF_8));

    assertThat(told.toString(UTF_8))
        .contains("order-1: [OrderPlaced, OrderPaid, OrderShipped]")
        .endsWith("All there, and in order.\n");
    assertThat(isComplete).isTrue();
  }
}
